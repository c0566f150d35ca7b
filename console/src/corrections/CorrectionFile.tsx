import { Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Sections } from '@/kit/Sections'
import { viewCorrection } from './api'
import { Compared, Evidence, Steps, Warnings } from './Compared'
import { statusTones } from './tones'

type View = RowOf<typeof viewCorrection>
type Name = keyof View & string

const facts: readonly Name[] = [
  'status',
  'kind',
  'name',
  'studentNo',
  'siteName',
  'className',
  'reason',
  'source',
  'applicantName',
  'createdAt',
  'provinceDocNo',
  'decidedOn',
]

/** One correction in full. */
export const useCorrection = (id: number | undefined) => {
  const call = useCall()
  return useQuery({
    queryKey: [viewCorrection.path, id],
    queryFn: () => call(viewCorrection, { query: { id: id ?? 0 } }),
    enabled: id !== undefined,
  })
}

const Facts = ({ correction }: { correction: View }) => (
  <Descriptions
    column={2}
    tableLayout="fixed"
    labelStyle={{ width: 112 }}
    data={facts.map((name) => ({
      key: name,
      label: fieldOf(viewCorrection, name).label,
      value: show(viewCorrection, name, correction[name], name === 'status' ? statusTones : undefined),
    }))}
  />
)

/** 信息更正详情: what is corrected, what proves it, and how it went. */
export const CorrectionFile = ({ id }: { id: number }) => (
  <Loaded query={useCorrection(id)} rows={8}>
    {(correction) => (
      <Sections
        key={id}
        label="信息更正详情"
        sections={[
          {
            title: '更正内容',
            content: (
              <>
                <Warnings correction={correction} />
                <Compared correction={correction} />
              </>
            ),
          },
          { title: '申请', content: <Facts correction={correction} /> },
          { title: '材料', content: <Evidence correction={correction} /> },
          { title: '办理过程', content: <Steps correction={correction} /> },
        ]}
      />
    )}
  </Loaded>
)
