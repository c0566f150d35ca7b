import { Progress } from '@arco-design/web-react'

interface ProgressBarProps {
  label: string
  /** 0 to 100. */
  percent: number
  showText?: boolean
}

/** How far something is. Arco's own puts the name on a part without a role, and leaves the bar itself without one. */
export const ProgressBar = ({ label, percent, showText }: ProgressBarProps) => (
  <div role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
    <div aria-hidden="true">
      <Progress percent={percent} showText={showText} />
    </div>
  </div>
)
