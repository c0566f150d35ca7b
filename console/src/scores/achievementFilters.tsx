import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { EnumFilter, NumberFilter, OptionFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { listAchievements } from './api'

/** The filters of scores by course; elements, because the bar counts its children. */
export const achievementFilters = () => [
  <TextFilter key="keyword" of={listAchievements} field="keyword" label="学号或姓名" />,
  <OptionFilter key="courseId" of={listAchievements} field="courseId" {...courses} />,
  <OptionFilter key="classId" of={listAchievements} field="classId" {...classes} />,
  <EnumFilter key="status" of={listAchievements} field="status" label="状态" />,
  <YesNoFilter key="passed" of={listAchievements} field="passed" />,
  <EnumFilter key="nature" of={listAchievements} field="nature" label="性质" />,
  <EnumFilter key="mark" of={listAchievements} field="mark" label="特殊情况" />,
  <EnumFilter key="round" of={listAchievements} field="round" label="成绩性质" />,
  <NumberFilter key="totalFrom" of={listAchievements} field="totalFrom" />,
  <NumberFilter key="totalTo" of={listAchievements} field="totalTo" />,
  <YesNoFilter key="drafts" of={listAchievements} field="drafts" />,
  <OptionFilter key="siteId" of={listAchievements} field="siteId" {...sites} />,
  <OptionFilter key="gradeId" of={listAchievements} field="gradeId" {...grades} />,
  <OptionFilter key="levelId" of={listAchievements} field="levelId" {...levels} />,
  <OptionFilter key="majorId" of={listAchievements} field="majorId" {...majors} />,
]
