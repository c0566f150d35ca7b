import { Button, Empty, Table } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tellSuccess } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { sites } from '@/basic_data/choices'
import { Can } from '@/kit/Can'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { OptionSelect } from '@/kit/OptionSelect'
import { useUnsaved } from '@/kit/tab'
import { useSaveKey } from '@/kit/useDraftForm'
import { listExamPoints, saveExamPoints } from './api'

type Point = RowOf<typeof listExamPoints>

const Points = ({ batchId, points }: { batchId: number; points: readonly Point[] }) => {
  const request = useRequest()
  const may = useAllowed()(saveExamPoints)
  /** The exam point that was chosen for a site; none means the site itself. */
  const [chosen, setChosen] = useState<ReadonlyMap<number, number | null>>(new Map())
  useUnsaved(chosen.size > 0)
  const saving = useMutation({
    mutationFn: () => {
      const items = [...chosen].map(([siteId, examSiteId]) => ({ siteId, examSiteId }))
      return request(saveExamPoints, { body: { batchId, items } })
    },
    onSuccess: async () => {
      setChosen(new Map())
      await refetchAll()
      tellSuccess('已保存考点设置')
    },
  })
  const save = () => {
    if (may && chosen.size > 0 && !saving.isPending) saving.mutate()
  }
  useSaveKey(may, save)
  return (
    <>
      <p className="form-hint">
        考生在所属站点的考点参加考试；不设置时，站点自己就是考点。已编排座位的考生不随之变动。
      </p>
      <Table
        rowKey="siteId"
        size="small"
        border={{ wrapper: true }}
        pagination={{ pageSize: 50, hideOnSinglePage: true }}
        data={[...points]}
        noDataElement={<Empty description="本批次还没有线下考生" />}
        columns={[
          { title: '站点', dataIndex: 'siteName', width: 240 },
          {
            title: '考生人次',
            width: 100,
            align: 'right',
            render: (_: unknown, row: Point) => formatNumber(row.candidates),
          },
          {
            title: '考点',
            render: (_: unknown, row: Point) => {
              const set = chosen.has(row.siteId)
              return (
                <OptionSelect
                  label={`${row.siteName}的考点`}
                  placeholder="本站点"
                  {...sites}
                  disabled={!may}
                  except={row.siteId}
                  value={(set ? chosen.get(row.siteId) : row.examSiteId) ?? undefined}
                  known={
                    !set && row.examSiteId && row.examSiteName
                      ? { code: row.examSiteId, desc: row.examSiteName }
                      : undefined
                  }
                  onChange={(id) => setChosen(new Map([...chosen, [row.siteId, id ?? null]]))}
                />
              )
            },
          },
        ]}
      />
      <Can do={saveExamPoints}>
        <Button type="primary" title="Ctrl+S" disabled={chosen.size === 0} loading={saving.isPending} onClick={save}>
          保存考点设置
        </Button>
      </Can>
    </>
  )
}

/** 考点设置 of a batch: at which site the candidates of each site sit. */
export const ExamPoints = ({ batchId }: { batchId: number }) => {
  const request = useRequest()
  const body = { batchId }
  const query = useQuery({
    queryKey: [listExamPoints.path, body],
    queryFn: ({ signal }) => request(listExamPoints, { body }, { signal }),
  })
  return <Loaded query={query}>{({ list }) => <Points batchId={batchId} points={list} />}</Loaded>
}
