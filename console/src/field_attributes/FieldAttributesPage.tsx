import { Page } from '@/kit/Page'
import { StageFields } from './StageFields'

/** 字段属性: which fields people fill in at a stage of their way into the school. */
export const FieldAttributesPage = () => (
  <Page title="字段属性" help="预报名时填写哪些字段、哪些必填、按什么顺序；可以新增本校的字段。拖动一行可调整顺序。">
    <StageFields />
  </Page>
)
