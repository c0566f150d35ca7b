import { Button, Result } from '@arco-design/web-react'
import { Component, type PropsWithChildren } from 'react'

interface State {
  failed: boolean
}

/** One page that breaks does not take the others with it. */
export class ErrorBoundary extends Component<PropsWithChildren, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError = (): State => ({ failed: true })

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Result
        status="error"
        title="页面出错了"
        subTitle="请重试；仍然出错时，请把当时的操作告诉管理员"
        extra={
          <Button type="primary" onClick={() => this.setState({ failed: false })}>
            重试
          </Button>
        }
      />
    )
  }
}
