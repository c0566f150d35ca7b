import { Button, Empty, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { Tuition } from '@/basic_data/Tuition'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { RowActions } from '@/kit/RowActions'
import { removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { Admitted } from './Admitted'
import {
  deleteEnrollmentMajor,
  editEnrollmentMajor,
  fetchEnrollmentMajorImportTemplate,
  importEnrollmentMajors,
  type listEnrollmentBatches,
  listEnrollmentMajors,
  saveEnrollmentMajor,
  summarizeSiteEnrollments,
} from './api'
import { MOST_MAJORS } from './majorNumbers'
import { Reported } from './Reported'

type Batch = RowOf<typeof listEnrollmentBatches>
type Major = RowOf<typeof listEnrollmentMajors>

const studyForms = new Map(listEnrollmentMajors.columns.studyForm?.options)

/** What the sites were granted of a major, and the summary that tells it beside what they applied for. */
const Allocated = ({ major }: { major: Major }) => {
  const places = usePlaces()
  const may = useAllowed()(summarizeSiteEnrollments)
  const count = formatNumber(major.allocated)
  if (!may) return count
  return (
    <Link
      className="overview-link"
      to={places('siteEnrollments', { tab: 'summary', batchId: major.batchId })}
      title="按专业汇总"
    >
      {count}
    </Link>
  )
}

const columns = columnsOf(listEnrollmentMajors, [
  { field: 'name', width: 180, render: ({ name, majorCode }) => `${name} ${majorCode}` },
  {
    field: 'levelName',
    title: '层次、学习形式',
    width: 130,
    render: ({ levelName, studyForm }) => `${levelName} ${studyForms.get(studyForm) ?? ''}`,
  },
  { field: 'authorityCode', title: '招办代码', width: 90 },
  { field: 'examCategory', width: 100 },
  { field: 'quota', title: '计划', width: 70 },
  {
    field: 'tuition',
    title: '学费(元)',
    width: 90,
    render: ({ tuition }) => formatNumber(tuition / 100),
  },
  { field: 'allocated', width: 80, render: (major) => <Allocated major={major} /> },
  {
    field: 'admitted',
    width: 80,
    render: ({ batchId, majorId, admitted }) => <Admitted count={admitted} of={{ batchId, majorId }} />,
  },
  {
    field: 'reported',
    width: 80,
    render: ({ batchId, majorId, reported }) => <Reported count={reported} of={{ batchId, majorId }} />,
  },
])

interface Draft {
  batch: Batch
  major?: Major
}

/** 招生专业 of one batch; those of a closed one are only looked at. */
export const BatchMajors = ({ batch }: { batch: Batch }) => {
  const request = useRequest()
  const form = useDrawer<Draft>()
  const body = { batchId: batch.id, pageCurrent: FIRST_PAGE, pageSize: MOST_MAJORS }
  const majors = useQuery({
    queryKey: [listEnrollmentMajors.path, body],
    queryFn: ({ signal }) => request(listEnrollmentMajors, { body }, { signal }),
  })
  const open = batch.status !== 'closed'
  return (
    <section aria-label="招生专业">
      <h3>招生专业</h3>
      {open && (
        <div className="toolbar">
          <Can do={saveEnrollmentMajor}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open({ batch })}>
              新增招生专业
            </Button>
          </Can>
          <div className="toolbar-right">
            <ImportButton
              do={importEnrollmentMajors}
              template={fetchEnrollmentMajorImportTemplate}
              fields={{ batchId: String(batch.id) }}
              what="招生专业"
            />
          </div>
        </div>
      )}
      <Loaded query={majors}>
        {({ list }) => (
          <Table
            rowKey="id"
            size="small"
            border={{ wrapper: true }}
            pagination={{ pageSize: 10, hideOnSinglePage: true }}
            data={list}
            noDataElement={<Empty description="还没有招生专业，可从已备案专业生成，或新增、导入。" />}
            columns={[
              ...columns.map((column) => ({
                title: column.title,
                dataIndex: column.key,
                width: column.width,
                align: column.align,
                render: (_: unknown, major: Major) => column.render(major),
              })),
              ...(open
                ? [
                    {
                      title: '操作',
                      dataIndex: 'actions',
                      width: 120,
                      render: (_: unknown, major: Major) => (
                        <RowActions
                          actions={[
                            { label: '编辑', do: editEnrollmentMajor, onClick: () => form.open({ batch, major }) },
                            removal(deleteEnrollmentMajor, major),
                          ]}
                        />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Loaded>
      <MajorForm key={form.key} {...form.props} />
    </section>
  )
}

const Field = fieldsOf(saveEnrollmentMajor)

const MajorForm = ({ record, ...drawer }: DrawerProps<Draft>) => {
  const major = record?.major
  return (
    <FormDrawer<Major, { id: number }>
      {...drawer}
      record={major}
      title={major ? `编辑招生专业 ${major.name}` : `新增招生专业（${record?.batch.name ?? ''}）`}
      action={(stored) =>
        stored
          ? formAction(editEnrollmentMajor, '已保存招生专业', stored)
          : formAction(saveEnrollmentMajor, '已新增招生专业', { batchId: record?.batch.id })
      }
      keep={['examCategory', 'tuition']}
    >
      <Field name="majorId" help="须已为本批次的年级备案">
        <BasicSelect type="major" known={known(major?.majorId, major?.name)} />
      </Field>
      <Field name="authorityCode" />
      <Field name="authorityName" />
      <Field name="examCategory" />
      <Field name="quota" help="不能低于已分配给站点的人数" />
      <Field name="tuition" label="学费(元/学年)">
        <Tuition />
      </Field>
      <Field name="enabled" />
    </FormDrawer>
  )
}
