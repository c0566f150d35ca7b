import { Button, Form, Select } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useId, useRef } from 'react'
import { useNavigate } from 'react-router'
import { listOptions } from '@/api/infra'
import type { BodyOf, RowOf } from '@/api/operation'
import { useCall, useSchoolContext } from '@/api/schoolContext'
import { BasicSelect, basicOptions } from '@/basic_data/BasicSelect'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FileLink } from '@/kit/FileLink'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { OfSchool } from '@/kit/OfSchool'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeCourseStatus,
  deleteCourse,
  deleteCourses,
  editCourse,
  editCourses,
  exportCourses,
  fetchCourseImportTemplate,
  importCourses,
  listChapters,
  listCourseRecords,
  listCourses,
  listKnowledgePoints,
  saveCourse,
  viewCourse,
} from './api'
import { CourseForm } from './CourseForm'
import { allCourseOptions, CourseSelect } from './CourseSelect'
import { KnowledgePointsDrawer } from './KnowledgePoints'

type Course = RowOf<typeof listCourses>
type BatchEdit = Omit<BodyOf<typeof editCourses>, 'ids'>

const Syllabus = ({ course: { id, syllabusName } }: { course: Course }) => {
  const call = useCall()
  const address = async () => (await call(viewCourse, { query: { id } })).syllabusUrl
  return <FileLink name={syllabusName} address={address} />
}

const columns = columnsOf(listCourses, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'code', width: 120, under: 'name' },
  { field: 'typeName', title: '类型', width: 140 },
  'credits',
  { field: 'hours', width: 90 },
  {
    field: 'lectureHours',
    title: '面授/线上/实践/自学',
    width: 200,
    help: '总学时的组成',
    render: ({ lectureHours, onlineHours, practiceHours, selfStudyHours }) =>
      [lectureHours, onlineHours, practiceHours, selfStudyHours].join(' / '),
  },
  { field: 'examForm', width: 90 },
  { field: 'assessMode', width: 120 },
  { field: 'degreeCourse', title: '学位课', width: 80 },
  { field: 'recordCount', width: 80 },
  { field: 'questionCount', width: 100 },
  { field: 'kind', hidden: true },
  { field: 'organizationName', title: '开课单位', width: 200, hidden: true },
  { field: 'source', hidden: true },
  { field: 'syllabusName', title: '教学大纲', hidden: true, render: (course) => <Syllabus course={course} /> },
  {
    field: 'prerequisiteNames',
    title: '先修课程',
    width: 200,
    hidden: true,
    render: ({ prerequisiteNames }) => prerequisiteNames.join('、') || '—',
  },
  { field: 'englishName', hidden: true },
  { field: 'sortNo', hidden: true },
])

const choicesOf = (field: 'examForm' | 'assessMode') =>
  (editCourses.fields[field]?.options ?? []).map(([value, label]) => ({ value, label }))

/** What 批量设置 sets; what is left empty stays as it is in each course. */
const BatchFields = ({ onChange }: { onChange: (wish: BatchEdit) => void }) => (
  <Form id={useId()} layout="vertical" onValuesChange={(_, wish: BatchEdit) => onChange(wish)}>
    <p>只修改填写的项，其余保持不变。</p>
    <Form.Item field="typeId" label="课程类型">
      <CourseSelect type="curriculumType" label="课程类型" />
    </Form.Item>
    <Form.Item field="organizationId" label="开课单位">
      <BasicSelect type="organization" label="开课单位" />
    </Form.Item>
    <Form.Item field="examForm" label="考核类型">
      <Select aria-label="考核类型" placeholder="请选择" allowClear options={choicesOf('examForm')} />
    </Form.Item>
    <Form.Item field="assessMode" label="考核方式">
      <Select aria-label="考核方式" placeholder="请选择" allowClear options={choicesOf('assessMode')} />
    </Form.Item>
  </Form>
)

/** 院校课程: the library from which plans are made. */
export const CoursesPage = () => {
  const table = useQueryTable(listCourses)
  const form = useDrawer<Course>()
  const knowledge = useDrawer<Course>()
  const navigate = useNavigate()
  const places = usePlaces()
  const context = useSchoolContext()
  const wish = useRef<BatchEdit>({})
  return (
    <Page title="院校课程" help="教学计划从这里选课；学分、学时和考核是默认值，修改后不影响已有的教学计划。">
      <FilterBar table={table}>
        <TextFilter of={listCourses} field="keyword" />
        <OptionFilter
          of={listCourses}
          field="typeId"
          options={listOptions}
          query={allCourseOptions('curriculumType')}
        />
        <EnumFilter of={listCourses} field="kind" />
        <OptionFilter
          of={listCourses}
          field="organizationId"
          options={listOptions}
          query={basicOptions('organization')}
        />
        <EnumFilter of={listCourses} field="examForm" />
        <EnumFilter of={listCourses} field="source" />
        <TextFilter of={listCourses} field="creditsFrom" />
        <TextFilter of={listCourses} field="creditsTo" />
        <SelectFilter
          of={listCourses}
          field="hasRecords"
          options={[
            { value: 'true', label: '有资源' },
            { value: 'false', label: '无资源' },
          ]}
        />
        <EnabledFilter of={listCourses} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(course) => course.name}
        primary={
          <Can do={saveCourse}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增课程
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton
              do={importCourses}
              template={fetchCourseImportTemplate}
              what="课程"
              update="课程代码已存在时更新该课程（空白单元格保持原值）"
            />
            <ExportButton do={exportCourses} table={table} />
          </>
        }
        bulk={[
          bulkStep(editCourses, {
            label: '批量设置',
            confirm: (count) => {
              wish.current = {}
              const keep = (typed: BatchEdit) => {
                wish.current = typed
              }
              // A question stands outside the page's tree.
              const fields = (
                <OfSchool context={context}>
                  <BatchFields onChange={keep} />
                </OfSchool>
              )
              return { title: `批量设置选中的${count}门课程`, content: fields }
            },
            input: (ids) => ({ body: { ids, ...wish.current } }),
          }),
          bulkStep(deleteCourses, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('课程'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewCourse, 'course')}
        actionsWidth={190}
        actions={(course) => [
          { label: '编辑', do: editCourse, onClick: () => form.open(course) },
          {
            label: '章节',
            do: listChapters,
            onClick: () => navigate(places('courseChapters', { courseId: course.id })),
          },
          {
            label: '课程资源',
            do: listCourseRecords,
            onClick: () => navigate(places('courseRecords', { courseId: course.id })),
          },
          { label: '知识点', do: listKnowledgePoints, onClick: () => knowledge.open(course) },
          switching(changeCourseStatus, course),
          removal(deleteCourse, course),
        ]}
        empty="还没有课程。点击“新增课程”，或下载模板批量导入。"
      />
      <CourseForm key={form.key} {...form.props} />
      <KnowledgePointsDrawer key={`knowledge-${knowledge.key}`} {...knowledge.props} />
    </Page>
  )
}
