import { Button } from '@arco-design/web-react'
import { IconEye } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { viewPlain } from '@/api/infra'
import { useCall } from '@/api/schoolContext'

/** Fields of a printed sheet that are masked, with what stands there. */
type Shown<Name extends string> = Readonly<Record<Name, string | null | undefined>>

/**
 * 显示完整信息 of a sheet: all that is masked on it is asked for at once. Each look is asked of the server, which checks the
 * right and logs it. `whole` is what came, by field; `tools` the button, as long as it is needed.
 */
export const useWhole = <Name extends string>(entity: string, id: number, shown: Shown<Name>) => {
  const call = useCall()
  const hidden = (Object.keys(shown) as Name[]).filter((field) => shown[field]?.includes('*'))
  const opening = useMutation({
    mutationFn: async () => {
      const values = hidden.map(async (field) => {
        const { value } = await call(viewPlain, { body: { entity, id, field } })
        return [field, value ?? undefined] as const
      })
      return Object.fromEntries(await Promise.all(values)) as Partial<Record<Name, string>>
    },
  })
  const tools = hidden.length > 0 && !opening.data && (
    <Button icon={<IconEye />} title="将记入日志" loading={opening.isPending} onClick={() => opening.mutate()}>
      显示完整信息
    </Button>
  )
  return { whole: opening.data ?? {}, tools }
}
