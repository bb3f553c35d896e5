/** Two pages of one origin, as far as what they keep goes. */
export function fakePages({ full = false } = {}) {
  const kept = new Map<string, string>();
  const heard: { page: object; listener: (event: { key: string }) => void }[] = [];
  const page = () => {
    const self = {
      localStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem(key: string, value: string) {
          if (full) throw new Error("QuotaExceededError");
          kept.set(key, value);
          for (const other of heard) if (other.page !== self) other.listener({ key });
        },
      },
      addEventListener: (_name: string, listener: (event: { key: string }) => void) =>
        void heard.push({ page: self, listener }),
    };
    return self as unknown as Window;
  };
  return { kept, page };
}
