import { Component, type ReactNode } from "react";

interface Props {
  readonly children: ReactNode;
  /** Stands in the place of a part that failed. */
  readonly fallback: ReactNode;
  readonly onFailure?: () => void;
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
    this.props.onFailure?.();
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
