import { CategoriesPage } from '@/catalogue/CategoriesPage'
import { useDrawer } from '@/kit/useDrawer'
import {
  changeQuizCategoryStatus,
  changeQuizProblemCategoryStatus,
  deleteQuizCategories,
  deleteQuizCategory,
  deleteQuizProblemCategories,
  deleteQuizProblemCategory,
  editQuizCategory,
  editQuizProblemCategory,
  exportQuizCategories,
  exportQuizProblemCategories,
  listQuizCategories,
  listQuizProblemCategories,
  listQuizProblems,
  saveQuizCategory,
  saveQuizProblemCategory,
  viewQuizCategory,
  viewQuizProblemCategory,
} from './api'
import { type CategoryOfProblems, ProblemList } from './ProblemList'

/** 试卷分类. */
export const QuizCategoriesPage = () => (
  <CategoriesPage
    of={{
      title: '试卷分类',
      content: '线上试卷',
      list: listQuizCategories,
      view: viewQuizCategory,
      save: saveQuizCategory,
      edit: editQuizCategory,
      remove: deleteQuizCategory,
      removeMany: deleteQuizCategories,
      switch: changeQuizCategoryStatus,
      export: exportQuizCategories,
    }}
  />
)

/** 试题分类, with the questions of each. */
export const QuizProblemCategoriesPage = () => {
  const problems = useDrawer<CategoryOfProblems>()
  return (
    <>
      <CategoriesPage
        of={{
          title: '试题分类',
          content: '线上试题',
          list: listQuizProblemCategories,
          view: viewQuizProblemCategory,
          save: saveQuizProblemCategory,
          edit: editQuizProblemCategory,
          remove: deleteQuizProblemCategory,
          removeMany: deleteQuizProblemCategories,
          switch: changeQuizProblemCategoryStatus,
          export: exportQuizProblemCategories,
          more: (node) => [{ label: '试题', do: listQuizProblems, onClick: () => problems.open(node) }],
        }}
      />
      <ProblemList key={problems.key} {...problems.props} />
    </>
  )
}
