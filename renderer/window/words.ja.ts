export const words = {
  title: (session: string, machine: string) => `${session}（${machine}） - Patchbay`,
  otherPort: (port: number, machine: string) => `ポート${port}は${machine}で開いています。このマシンではありません。`,
  away: (machine: string) => `${machine}が不在です。`,
  awaySince: (machine: string, time: string) => `${machine}は${time}から不在です。`,
  door: {
    opening: (session: string, machine: string) => `${machine}の「${session}」を開いています`,
    waiting: (machine: string) => `${machine}を待っています`,
    opensThen: (session: string, machine: string) =>
      `${machine}から応答があり次第、セッション「${session}」がここに開きます。`,
    lastHeard: (time: string) => `最後の応答は${time}です。`,
    lastHeardAgo: (time: string, ago: string) => `最後の応答は${time}（${ago}前）です。`,
    tryNow: "今すぐ試す",
    noAccess: (session: string, machine: string) => `${machine}の「${session}」にはアクセスできません`,
    enterKey: "別のキーを入力",
    tryAgain: "再試行",
  },
};
