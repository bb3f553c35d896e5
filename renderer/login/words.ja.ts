import { sentence } from "../ui/sentence.ts";

export const words = {
  title: "アクセスを求めているプログラム",
  question: "このプログラムにアクセスを許可しますか？",
  asks: sentence(
    "{program}（{address}）がAPIキーを求めています。キーがあると、あなたのセッションであなたにできることがすべてできます。",
  ),
  code: "コード",
  check: "自分で起動したもので、同じコードが表示されている場合にだけ許可してください。",
  deny: "拒否",
  allow: "コードが一致、許可",
};
