import { Form } from '@arco-design/web-react'
import type { BodyOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { TabPanels } from '@/kit/TabList'
import type { DrawerProps } from '@/kit/useDrawer'
import { Differences } from './AuditFile'
import { auditRecord } from './api'
import type { AuditOperations, ComparedVersion } from './audits'
import { VersionPreview } from './VersionPreview'

type Decision = BodyOf<typeof auditRecord>

const Field = fieldsOf(auditRecord)

interface DecideVersionProps extends DrawerProps<ComparedVersion> {
  of: AuditOperations
}

/** 审核: what changes, and whether it may. */
export const DecideVersion = ({ record: version, of, ...drawer }: DecideVersionProps) => (
  <FormDrawer<Partial<Decision>, { id: number }>
    {...drawer}
    record={version && { id: version.id, version: version.version, auditStatus: 'approved' }}
    title={`审核 ${version?.courseName ?? ''}`}
    width={860}
    action={(decided) => formAction(of.decide, '已审核', decided)}
  >
    <div className="form-wide">
      {version && (
        <TabPanels
          label="待审版本"
          panels={[
            { title: '变更内容', content: <Differences of={version.differences} fileUrl={version.fileUrl} /> },
            { title: '预览', content: <VersionPreview of={version} /> },
          ]}
        />
      )}
    </div>
    <Field name="auditStatus" />
    <Form.Item noStyle shouldUpdate>
      {({ auditStatus }: Partial<Decision>) => (
        <Field name="auditOpinion" required={auditStatus === 'rejected'} help="不通过时必填，提交人可以看到" />
      )}
    </Form.Item>
  </FormDrawer>
)
