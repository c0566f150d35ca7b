import { Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormPage } from '@/kit/FormPage'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { PictureUpload } from '@/kit/PictureUpload'
import { RichText } from '@/kit/RichText'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { usePlaces } from '@/kit/usePlaces'
import { editCourseRecord, listCourseRecordUses, saveCourseRecord, viewCourseRecord } from './api'
import { CourseSelect } from './CourseSelect'

type CourseRecord = RowOf<typeof viewCourseRecord>

const Field = fieldsOf(saveCourseRecord)

/** Characters; the server refuses more. */
const INTRODUCTION = 2000

const Form = ({ record, courseId }: { record?: CourseRecord; courseId?: number }) => {
  const places = usePlaces()
  const help = record
    ? `第${record.versionNo}版，${record.readyCount}/${record.periodCount}个课时就绪；所属课程不能修改。`
    : '保存后为草稿；添加课时后才能上架。'
  return (
    <FormPage<CourseRecord, { id: number }>
      title={record ? `编辑课程资源 ${record.name}` : '新增课程资源'}
      help={help}
      record={record}
      initial={{ source: 'own', courseId }}
      list={places('courseRecords')}
      action={(row) =>
        row ? formAction(editCourseRecord, '已保存课程资源', row) : formAction(saveCourseRecord, '已新增课程资源')
      }
      reload={(row, call) => call(viewCourseRecord, { query: { id: row.id } })}
      next={{
        label: '保存并管理章节',
        to: ({ id }, values) =>
          places('courseChapters', { courseId: record?.courseId ?? Number(values.courseId), recordId: id }),
      }}
    >
      <Field name="courseId" disabled={record !== undefined}>
        <CourseSelect
          type="course"
          disabled={record !== undefined}
          known={known(record?.courseId, record && `${record.courseCode} ${record.courseName}`)}
        />
      </Field>
      <Field name="name" />
      <Field name="lecturerTeacherId" help="本校教师，姓名随教师变化">
        <BasicSelect type="teacher" known={known(record?.lecturerTeacherId, record?.lecturerName)} />
      </Field>
      <Field name="lecturerName" help="校外主讲填写；选择了主讲教师时不用填写" />
      <Field name="source" />
      <Field name="coverUrl" help="">
        <PictureUpload />
      </Field>
      <Field name="introduction">
        <RichText most={INTRODUCTION} />
      </Field>
    </FormPage>
  )
}

/** So many openings the server tells. */
const MOST_USES = 200

/** 使用情况: which openings are studied with the record. */
const Uses = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listCourseRecordUses.path, id],
    queryFn: () => call(listCourseRecordUses, { query: { id } }),
  })
  return (
    <section aria-label="使用情况">
      <h2>使用情况</h2>
      <Loaded query={query}>
        {(uses) => (
          <>
            <Table
              rowKey="openingId"
              size="small"
              data={[...uses]}
              pagination={false}
              border={{ wrapper: true }}
              noDataElement="还没有开课使用该资源"
              columns={[
                { title: '学期', dataIndex: 'semesterName' },
                { title: '年级', dataIndex: 'gradeName', render: (name: string | null) => name ?? '不限' },
                { title: '专业', dataIndex: 'majorName', render: (name: string | null) => name ?? '不限' },
                { title: '开课状态', dataIndex: 'statusName', width: 110 },
                {
                  title: '选用方式',
                  dataIndex: 'byDefault',
                  width: 140,
                  render: (byDefault: boolean) => (byDefault ? '课程的默认资源' : '开课指定'),
                },
              ]}
            />
            {uses.length >= MOST_USES && <p className="form-hint">只列出最近的{MOST_USES}个开课</p>}
          </>
        )}
      </Loaded>
    </section>
  )
}

const asked = (search: string, name: string) => Number(new URLSearchParams(search).get(name))

/** 新增: `?courseId=` chooses the course at first. */
export const NewRecordPage = () => {
  const { search } = useLocation()
  return (
    <SchoolFirst title="新增课程资源">
      <Form courseId={asked(search, 'courseId') || undefined} />
    </SchoolFirst>
  )
}

export const EditRecordPage = () => (
  <SchoolFirst title="编辑课程资源">
    <Edit />
  </SchoolFirst>
)

const Edit = () => {
  const call = useCall()
  const id = asked(useLocation().search, 'id')
  const view = () => call(viewCourseRecord, { query: { id } })
  const query = useQuery({ queryKey: [viewCourseRecord.path, id], queryFn: view, gcTime: 0 })
  return (
    <Loaded query={query}>
      {(record) => (
        <>
          <Form key={record.id} record={record} />
          <Uses id={record.id} />
        </>
      )}
    </Loaded>
  )
}
