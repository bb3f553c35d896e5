import { sentence } from "../ui/sentence.ts";

export const words = {
  door: {
    rights: {
      admin: "シェルへの入力と、セッションの管理ができます。",
      writer: "シェルの閲覧、自分のシェルを開くこと、ほかのシェルへの入力の申請ができます。",
      reader: "シェルの閲覧ができます。",
    },
    wait: "セッションのリレーを待っています",
    waitReason: (reason: string) => `${reason} 応答があり次第、セッションがここに開きます。`,
    noAccess: "このセッションにはアクセスできません",
    invited: sentence("{owner}がこのターミナルセッションに招待しています。{rights}"),
    joinNamed: (session: string) => `「${session}」に参加`,
    name: "名前（任意）",
    nameHint: "ゲストの名前として、ほかの人に表示されます。",
    join: "セッションに参加",
    key: "APIキーで開く",
    keyHint: "セッションを提供するリレーの、すべての権限を持つキーです。このタブを閉じるまで保持されます。",
    open: "セッションを開く",
  },
  access: {
    noInvite:
      "このブラウザはセッションにアクセスできません。セッションの所有者から招待リンクをもらって開いてください。",
    unreachable: "リレーに接続できません。ネットワークを確認して、もう一度お試しください。",
    noLonger: "このセッションにはアクセスできなくなりました。所有者から新しい招待リンクをもらってください。",
    noTunnels: "トンネルは、招待リンクで参加したブラウザとアプリで開けます。",
    away: (relay: string) => `リレー${relay}が不在です。`,
    noPage: "このウィンドウを開いたページを読み込んでいます。",
    noRelay: "リレーに接続できません。",
  },
  following: {
    again: "もう一度フォロー",
    left: (name: string) => `この配置は自分のものになりました。${name}のフォローは終了しました。`,
  },
  notifications: {
    allow: "通知を許可",
  },
};
