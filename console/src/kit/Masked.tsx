import { Button } from '@arco-design/web-react'
import { IconEye } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { viewPlain } from '@/api/infra'
import { useCall } from '@/api/schoolContext'
import { CopyButton } from './CopyButton'

interface MaskedProps {
  /** The entity by which the server registered the field. */
  entity: string
  id: number
  field: string
  label: string
  /** As the list gives it: 138****0001. */
  value: string | null | undefined
}

/**
 * A masked value that shows itself on click. Each look is asked of the server, which checks the right and logs it. What was
 * shown of one record is never that of the next: a drawer goes from row to row without being made anew.
 */
export const Masked = (props: MaskedProps) => {
  const { entity, id, field, value } = props
  return <Shown key={`${entity} ${id} ${field} ${value ?? ''}`} {...props} />
}

const Shown = ({ entity, id, field, label, value }: MaskedProps) => {
  const call = useCall()
  const plain = useMutation({ mutationFn: () => call(viewPlain, { body: { entity, id, field } }) })
  if (!value) return <span className="nothing">—</span>
  if (plain.data?.value) {
    return (
      <span className="masked">
        {plain.data.value}
        <CopyButton label={label} value={plain.data.value} />
      </span>
    )
  }
  return (
    <span className="masked">
      {value}
      <Button
        type="text"
        size="mini"
        icon={<IconEye />}
        aria-label={`查看完整${label}`}
        title={`查看完整${label}，将记入日志`}
        loading={plain.isPending}
        onClick={(event) => {
          event.stopPropagation()
          plain.mutate()
        }}
      />
    </span>
  )
}
