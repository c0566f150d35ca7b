import { Button, Drawer, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import type { DrawerProps } from '@/kit/useDrawer'
import { paths } from '@/paths'
import { listMissingTeachingPlans, saveTeachingPlan } from './api'
import { formWord, statusWord } from './choices'
import type { Wanting } from './PlanForm'

type Missing = RowOf<typeof listMissingTeachingPlans>

interface MissingPlansProps extends Omit<DrawerProps<true>, 'record'> {
  /** Goes on with a plan for a grade and major. */
  onAdd: (wanting: Wanting) => void
}

const TITLE = '缺计划检查'

/** Whose plan is missing; majors of two forms of study may have one name. */
const whose = ({ gradeName, levelName, majorName, studyForm }: Missing) =>
  `${gradeName}${levelName}${majorName}${formWord(studyForm)}`

const Found = ({ onAdd }: Pick<MissingPlansProps, 'onAdd'>) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [listMissingTeachingPlans.path],
    queryFn: ({ signal }) => request(listMissingTeachingPlans, {}, { signal }),
    staleTime: 0,
  })
  return (
    <Loaded query={query}>
      {(missing) => (
        <Table
          size="small"
          rowKey={({ gradeId, majorId }: Missing) => `${gradeId}-${majorId}`}
          border={{ wrapper: true }}
          pagination={false}
          data={missing}
          noDataElement={<Empty description="有在籍学生的年级专业都有生效的教学计划" />}
          scroll={{ x: 620 }}
          columns={[
            { title: '年级', dataIndex: 'gradeName', width: 90 },
            { title: '层次', dataIndex: 'levelName', width: 90 },
            {
              title: '专业',
              dataIndex: 'majorName',
              render: (name: string, { studyForm }: Missing) => (
                <>
                  {name} <small className="nothing">{formWord(studyForm)}</small>
                </>
              ),
            },
            { title: '在籍人数', dataIndex: 'studentCount', width: 90, render: formatNumber },
            {
              title: '处理',
              dataIndex: 'openPlanId',
              width: 150,
              render: (_: unknown, row: Missing) =>
                row.openPlanId == null ? (
                  <Can do={saveTeachingPlan}>
                    <Button
                      type="text"
                      size="mini"
                      aria-label={`新增${whose(row)}的教学计划`}
                      onClick={() => onAdd(row)}
                    >
                      新增
                    </Button>
                  </Can>
                ) : (
                  <Link
                    className="overview-link"
                    aria-label={`${whose(row)}的教学计划 V${row.openVersionNo} ${statusWord(row.openStatus ?? '')}`}
                    to={`${paths.planOfMajor}?planId=${row.openPlanId}`}
                  >
                    V{row.openVersionNo} {statusWord(row.openStatus ?? '')}
                  </Link>
                ),
            },
          ]}
        />
      )}
    </Loaded>
  )
}

/** 缺计划检查: grades and majors with students for whom no plan is in effect. */
export const MissingPlans = ({ visible, onClose, onAdd }: MissingPlansProps) => (
  <Drawer title={TITLE} width={720} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
    <DialogName name={TITLE} />
    <Found onAdd={onAdd} />
  </Drawer>
)
