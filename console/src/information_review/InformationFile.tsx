import type { ReactNode } from 'react'
import { show } from '@/kit/columns'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf, labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { PersonFile } from '@/kit/PersonFile'
import { Word } from '@/kit/Status'
import type { Group } from './groups'
import {
  Doubts,
  Facts,
  Files,
  Photos,
  partsOf,
  type Shown,
  Steps,
  ToCorrection,
  useInformation,
} from './InformationParts'
import { isActive, type View } from './informationRules'
import { conclusionTones, photoTones, preCheckTones, statusTones } from './tones'

type Name = keyof View & string

const Status = ({ group, view }: Shown) => (
  <Word tone={statusTones[view.status]}>{labelOf(group.view, 'status', view.status)}</Word>
)

const progress: Record<Group['kind'], readonly Name[]> = {
  admission_information: ['mismatches'],
  admission_commitment: ['conclusion', 'evidenceKind', 'chsiPreCheck', 'chsiCheckedOn'],
  graduation_information: ['photoCheck', 'expectedGraduationOn'],
}

const tones: Partial<Record<Name, Parameters<typeof show>[3]>> = {
  conclusion: conclusionTones,
  chsiPreCheck: preCheckTones,
  photoCheck: photoTones,
}

const Progress = (shown: Shown) => {
  const { group, view } = shown
  const fact = (name: Name): { label: string; value: ReactNode } => ({
    label: fieldOf(group.view, name).label,
    value: show(group.view, name, view[name], tones[name]),
  })
  return (
    <>
      <Doubts {...shown} />
      {!isActive(view) && <p className="form-hint">该生已不在籍，资料只供查看，不计入统计。</p>}
      <Facts
        facts={[
          { label: '状态', value: <Status {...shown} /> },
          fact('studentStatus'),
          fact('submittedAt'),
          fact('submittedBy'),
          ...progress[group.kind].map(fact),
          ...(view.classReviewBy
            ? [
                {
                  label: '班主任审核',
                  value: `${view.classReviewBy} ${formatTime(view.classReviewAt, 'YYYY-MM-DD HH:mm')}`,
                },
                { label: '班主任意见', value: view.classReviewRemark },
              ]
            : []),
          fact('reviewedBy'),
          fact('reviewedAt'),
          fact('returnCount'),
          fact('remark'),
          ...(group.kind === 'admission_information' && view.correctionId != null
            ? [{ label: '信息更正', value: <ToCorrection view={view} /> }]
            : []),
        ]}
      />
    </>
  )
}

const headOf = ({ group, view }: Shown) => ({
  name: view.name,
  photo: view.photos.graduationUrl ?? view.photos.newEnrolUrl ?? view.photos.enrolUrl ?? view.photos.admissionUrl,
  number: { label: '学号', value: view.studentNo ?? view.examineeNo },
  status: <Status group={group} view={view} />,
  facts: [
    { label: '专业', value: `${view.levelName} ${view.majorName}` },
    { label: '站点', value: view.siteName },
    { label: '班级', value: view.className ?? '未分班' },
    {
      label: '手机',
      value: <Masked key={view.id} entity={group.entity} id={view.id} field="phone" label="手机" value={view.phone} />,
    },
  ],
})

/** 查看: how somebody's form stands, what it says, and how it went. */
export const InformationFile = ({ group, id }: { group: Group; id: number }) => (
  <Loaded query={useInformation(group, id)} rows={10}>
    {(view) => {
      const shown = { group, view }
      return (
        <PersonFile
          key={id}
          label={`${group.form}详情`}
          head={headOf(shown)}
          sections={[
            { title: '办理进度', content: <Progress {...shown} /> },
            ...partsOf(shown),
            {
              title: '照片和材料',
              content: (
                <>
                  {group.kind !== 'admission_commitment' && <Photos {...shown} />}
                  <Files {...shown} />
                </>
              ),
            },
            { title: '办理过程', content: <Steps view={view} /> },
          ]}
        />
      )
    }}
  </Loaded>
)
