import { Component, createElement, lazy, type ReactNode } from "react";

/** The parts whose code did not come: each loads it again the next time. */
const failed = new Set<() => void>();

/**
 * Returns a component whose code is loaded when it is shown first. Where it does not come, the guard around it shows that,
 * and the code is loaded again when the part is shown anew: `lazy` of React would keep the failure.
 */
export function lazyPart<Module, PartProps extends object>(
  load: () => Promise<Module>,
  partOf: (module: Module) => (props: PartProps) => ReactNode,
): (props: PartProps) => ReactNode {
  const makePart = () =>
    lazy(async () => {
      try {
        return { default: partOf(await load()) };
      } catch (error) {
        failed.add(renew);
        throw error;
      }
    });
  let part = makePart();
  const renew = () => {
    part = makePart();
  };
  return (props) => createElement<PartProps>(part, props);
}

interface Props {
  readonly children: ReactNode;
  /** Stands in the place of a part that failed. */
  readonly fallback: ReactNode;
  readonly onFailure?: () => void;
  /** A failed part is shown anew when this changes. */
  readonly attempt?: unknown;
}

/**
 * Keeps the rest of a page when the code of a part does not come: the relay was updated meanwhile, or is gone. React would
 * remove the whole page.
 */
export class LoadGuard extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(): void {
    for (const forget of failed) forget();
    failed.clear();
    this.props.onFailure?.();
  }

  override componentDidUpdate({ attempt }: Props): void {
    if (this.state.hasFailed && attempt !== this.props.attempt) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
