import { Button, Empty, Table } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { saveBlob } from '@/api/files'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { Can } from '@/kit/Can'
import { csvOf } from '@/kit/csv'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter } from '@/kit/filters'
import { formatNumber, formatPercent, formatTenths } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import type { Choice } from '@/kit/OptionSelect'
import { exportSuperviseCases, listSuperviseCases } from './api'
import type { StatRow } from './superviseRules'
import { useStat } from './useStat'

interface Head {
  title: string
  width: number
  align?: 'right'
  of: (row: StatRow) => string
}

const count = (title: string, of: (row: StatRow) => number | null | undefined): Head => ({
  title,
  width: title.length * 14 + 40,
  align: 'right',
  of: (row) => formatNumber(of(row)),
})
const rate = (title: string, of: (row: StatRow) => number | null | undefined): Head => ({
  title,
  width: title.length * 14 + 40,
  align: 'right',
  of: (row) => formatPercent(of(row)),
})

const levelsOf = [
  count('红', ({ red }) => red),
  count('橙', ({ orange }) => orange),
  count('黄', ({ yellow }) => yellow),
]

const heads: Record<'class' | 'manager', readonly Head[]> = {
  class: [
    { title: '站点', width: 150, of: ({ siteName }) => siteName ?? '' },
    { title: '班主任', width: 100, of: ({ managerName }) => managerName ?? '—' },
    count('在籍学生', ({ students }) => students),
    ...levelsOf,
    rate('预警率', ({ flaggedRate }) => flaggedRate),
    count('已联系', ({ contacted }) => contacted),
    rate('联系率', ({ contactRate }) => contactRate),
    rate('解除率', ({ relievedRate }) => relievedRate),
  ],
  manager: [
    count('负责班级', (row) => row.classes),
    count('学生', ({ students }) => students),
    count('预警', (row) => row.count),
    ...levelsOf,
    count('联系次数', ({ contacts }) => contacts),
    {
      title: '平均首次联系(小时)',
      width: 160,
      align: 'right',
      of: ({ firstContactHours }) => (firstContactHours == null ? '—' : formatTenths(firstContactHours)),
    },
    rate('解除率', ({ relievedRate }) => relievedRate),
  ],
}

const titles = { class: '班级', manager: '班主任' }
const filters = { class: 'classId', manager: 'managerId' }

const save = (by: 'class' | 'manager', rows: readonly StatRow[]) => {
  const columns = heads[by]
  const lines = rows.map((row) => [row.name, ...columns.map(({ of }) => of(row))])
  saveBlob(csvOf([titles[by], ...columns.map(({ title }) => title)], lines), `督学按${titles[by]}统计.csv`)
}

interface GroupsProps {
  by: 'class' | 'manager'
  semester: Choice | undefined
  /** To the students of a class or of a manager, under the filters that were on. */
  onChoose: (filters: Record<string, string>) => void
}

/** 按班级, 按班主任: how many fall behind, and with how many somebody talked. */
export const Groups = ({ by, semester, onChoose }: GroupsProps) => {
  const { table, query } = useStat(by, semester)
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listSuperviseCases} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listSuperviseCases} field="siteId" {...sites} />
        <OptionFilter of={listSuperviseCases} field="classId" {...classes} />
        <OptionFilter of={listSuperviseCases} field="gradeId" {...grades} />
        <OptionFilter of={listSuperviseCases} field="levelId" {...levels} />
        <OptionFilter of={listSuperviseCases} field="majorId" {...majors} />
      </FilterBar>
      <Loaded query={query} rows={10}>
        {({ rows }) => (
          <>
            <div className="toolbar">
              <span className="form-hint">
                点击名称查看学生；预警率为预警学生占在籍学生的百分比，解除率为已解除占全部案例的百分比。
              </span>
              <div className="toolbar-right">
                <Can do={exportSuperviseCases}>
                  <Button icon={<IconDownload />} disabled={rows.length === 0} onClick={() => save(by, rows)}>
                    导出
                  </Button>
                </Can>
              </div>
            </div>
            <Table
              rowKey="id"
              size="middle"
              border={{ wrapper: true }}
              pagination={{ pageSize: 50, hideOnSinglePage: true }}
              data={[...rows]}
              noDataElement={<Empty description={`没有${titles[by]}`} />}
              scroll={{ x: true }}
              columns={[
                {
                  title: titles[by],
                  width: 180,
                  fixed: 'left',
                  render: (_: unknown, row: StatRow) =>
                    row.id > 0 ? (
                      <button
                        type="button"
                        className="row-name"
                        onClick={() => onChoose({ ...table.filters, [filters[by]]: String(row.id), live: 'true' })}
                      >
                        {row.name}
                      </button>
                    ) : (
                      row.name
                    ),
                },
                ...heads[by].map(({ title, width, align, of }) => ({
                  title,
                  width,
                  align,
                  className: align === 'right' ? 'numeric' : undefined,
                  render: (_: unknown, row: StatRow) => of(row),
                })),
              ]}
            />
          </>
        )}
      </Loaded>
    </>
  )
}
