import { Button, Drawer, Empty, InputNumber, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { ToJobCentre } from '@/kit/jobCentre'
import type { DrawerProps } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { findDuplicateQuestions, type listQuestionBanks } from './api'

type Bank = RowOf<typeof listQuestionBanks>

const LEAST = 60
const MOST = 100
const USUAL = 85

/** 查重 of a bank: pairs of questions whose stems are alike. */
export const Duplicates = ({ record: bank, visible, onClose }: DrawerProps<Bank>) => {
  const title = `查重 ${bank?.name ?? ''}`
  return (
    <Drawer title={title} width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {bank && <Search bank={bank} onLeave={onClose} />}
    </Drawer>
  )
}

const Search = ({ bank, onLeave }: { bank: Bank; onLeave: () => void }) => {
  const request = useRequest()
  const places = usePlaces()
  const [percent, setPercent] = useState(USUAL)
  const search = useMutation({
    mutationFn: () => request(findDuplicateQuestions, { body: { bankId: bank.id, threshold: percent / 100 } }),
  })
  const link = (id: number, stem: string) => (
    <Link to={places('questionEdit', { id })} onClick={onLeave}>
      {id} {stem}
    </Link>
  )
  return (
    <>
      <div className="lines-foot form-lead">
        <span>相似度不低于</span>
        <InputNumber
          aria-label="相似度"
          min={LEAST}
          max={MOST}
          precision={0}
          suffix="%"
          value={percent}
          onChange={(value) => setPercent(value || USUAL)}
        />
        <Button type="primary" loading={search.isPending} onClick={() => search.mutate()}>
          开始查重
        </Button>
        <span className="nothing">共{formatNumber(bank.questionCount)}题</span>
      </div>
      {search.data?.jobId && (
        <div role="status">
          <p>试题较多，已转为后台任务，完成后请在任务中心下载结果。</p>
          <ToJobCentre onLeave={onLeave} />
        </div>
      )}
      {search.data && !search.data.jobId && (
        <Table
          rowKey={({ firstId, secondId }) => `${firstId}-${secondId}`}
          size="small"
          border={{ wrapper: true }}
          data={search.data.pairs}
          pagination={{ pageSize: 20, hideOnSinglePage: true }}
          noDataElement={<Empty description={`没有相似度达到${percent}%的试题`} />}
          columns={[
            {
              title: '试题',
              dataIndex: 'firstStem',
              render: (stem: string, { firstId }) => link(firstId, stem),
            },
            {
              title: '相似的试题',
              dataIndex: 'secondStem',
              render: (stem: string, { secondId }) => link(secondId, stem),
            },
            {
              title: '相似度',
              dataIndex: 'similarity',
              width: 90,
              align: 'right',
              render: (similarity: number) => `${Math.round(similarity * 100)}%`,
            },
          ]}
        />
      )}
    </>
  )
}
