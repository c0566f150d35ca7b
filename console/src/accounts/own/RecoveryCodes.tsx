import { ShownOnce } from '../ShownOnce'

/** Ten codes for the day the phone is lost, shown this once. */
export const RecoveryCodes = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => (
  <ShownOnce
    title="请保存恢复码"
    warning="关闭后不再显示"
    content="手机不在身边时，登录的第二步可以输入一个恢复码代替动态验证码，每个只能用一次。"
    text={codes.join('\n')}
    name="恢复码"
    onClose={onClose}
  >
    <ul className="recovery-codes" aria-label="恢复码">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  </ShownOnce>
)
