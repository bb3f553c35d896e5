export const words = {
  title: "メッセージ",
  dismiss: "閉じる",
  kinds: {
    info: "情報",
    success: "完了",
    error: "エラー",
  },
};
