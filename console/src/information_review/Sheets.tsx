import type { ReactNode } from 'react'
import { Columns, DAY, LINE, NO_DAY, Pair, Part, ResumeRows, Wide } from '@/kit/FormPaper'
import { formatTime } from '@/kit/format'
import { fieldOf, labelOf } from '@/kit/labels'
import { PaperHead } from '@/kit/PaperHead'
import { editAdmissionCommitment, editAdmissionInformation, viewAdmissionCommitment } from './api'
import type { Group } from './groups'
import type { Item, Paper } from './informationRules'
import { About, Person, Place, resumeOf, Seal, Signed, wordOf } from './paperParts'

interface SheetProps {
  paper: Paper
}

/** A page of A4 upright. */
const Page = ({ children }: { children: ReactNode }) => (
  <div className="registration-form form-dense information-page">{children}</div>
)

/** √ to what is right, what it should read to what is wrong; room for the hand before it was answered. */
const mark = ({ ok, declared }: Item) => {
  if (ok == null) return '□无误　□有误'
  return ok ? '√' : `应为：${declared ?? ''}`
}

const label = (name: string) => fieldOf(editAdmissionInformation, name).label

/** 学籍注册信息核对表. */
const InformationSheet = ({ paper }: SheetProps) => {
  const { view } = paper
  const said = view.information
  return (
    <Page>
      <PaperHead paper={paper} />
      <h2>成人高等学历继续教育学籍注册信息核对表</h2>
      <About view={view} />
      <table>
        <Columns />
        <tbody>
          <Person view={view} photo={view.photos.newEnrolUrl ?? view.photos.enrolUrl ?? view.photos.admissionUrl} />
          <Part title="核对项" />
          <tr>
            <th scope="col">项目</th>
            <th scope="col" colSpan={2}>
              登记的信息
            </th>
            <th scope="col" colSpan={2}>
              本人核对
            </th>
          </tr>
          {view.items.map((item) => (
            <tr key={item.key}>
              <th scope="row">{item.label}</th>
              <td colSpan={2}>{item.registered}</td>
              <td colSpan={2}>{mark(item)}</td>
            </tr>
          ))}
          <Part title="联系信息" />
          <Pair facts={[label('phone'), said?.phone, label('email'), said?.email]} />
          <Wide label={label('address')}>{said?.address}</Wide>
          <Pair facts={[label('postalCode'), said?.postalCode, label('nativePlace'), said?.nativePlace]} />
          <Pair facts={[label('workUnit'), said?.workUnit, label('occupation'), said?.occupation]} />
          <Pair
            facts={[label('emergencyContact'), said?.emergencyContact, label('emergencyPhone'), said?.emergencyPhone]}
          />
          <Part title="简历" />
          <ResumeRows lines={resumeOf(view)} least={3} />
          <tr>
            <td className="form-declaration" colSpan={5}>
              <p>本人承诺：以上信息已逐项核对，真实、准确、完整，如有不实，由此产生的后果由本人承担。</p>
              <Signed view={view} />
            </td>
          </tr>
        </tbody>
      </table>
    </Page>
  )
}

/** 承诺书: as it was signed, or as it will be. */
const CommitmentSheet = ({ paper }: SheetProps) => {
  const { view } = paper
  return (
    <Page>
      <PaperHead paper={paper} />
      <h2>承诺书</h2>
      <p className="information-pledge">{view.commitmentText}</p>
      <div className="form-declaration">
        <p>证件号：{view.idCardNo}</p>
        <Signed view={view} />
      </div>
    </Page>
  )
}

/** 入学资格审查表. */
const QualificationSheet = ({ paper }: SheetProps) => {
  const { view } = paper
  const said = view.commitment
  const named = (name: string) => fieldOf(editAdmissionCommitment, name).label
  const word = (name: 'preEduLevel' | 'evidenceKind') => labelOf(editAdmissionCommitment, name, said?.[name])
  const read = (name: 'conclusion' | 'chsiPreCheck') => labelOf(viewAdmissionCommitment, name, view[name])
  return (
    <Page>
      <PaperHead paper={paper} />
      <h2>成人高等学历继续教育入学资格审查表</h2>
      <About view={view} />
      <table>
        <Columns />
        <tbody>
          <Person view={view} photo={view.photos.enrolUrl ?? view.photos.admissionUrl} />
          <Place view={view} />
          <Part title="入学前学历" />
          <Pair facts={['学历', word('preEduLevel'), named('preEduGraduatedOn'), said?.preEduGraduatedOn]} />
          <Pair facts={[named('preEduSchool'), said?.preEduSchool, named('preEduMajor'), said?.preEduMajor]} />
          <Wide label={named('preEduCertificateNo')}>{said?.preEduCertificateNo}</Wide>
          <Part title="证明材料" />
          <Pair
            facts={[
              named('evidenceKind'),
              word('evidenceKind'),
              said?.reportNo ? named('reportNo') : named('verifyCode'),
              said?.reportNo ?? said?.verifyCode,
            ]}
          />
          <Wide label="材料">{view.attachments.map(({ name }) => name).join('、')}</Wide>
          <Wide label="前置学历清查">{[read('chsiPreCheck'), view.chsiCheckedOn].filter(Boolean).join(' ')}</Wide>
          <tr>
            <td className="form-declaration" colSpan={5}>
              <p>本人承诺：以上学历信息和所交材料真实有效，如有不实，自愿接受取消入学资格或学籍的处理。</p>
              <Signed view={view} />
            </td>
          </tr>
          <Wide label="审查结论">
            <div className="form-declaration">
              <p>{read('conclusion') || '□合格　□不合格　□待补材料'}</p>
              <p>
                <span>审查人：{view.reviewedBy ?? LINE}（盖章）</span>
                <span>{view.reviewedAt ? formatTime(view.reviewedAt, DAY) : NO_DAY}</span>
              </p>
            </div>
          </Wide>
        </tbody>
      </table>
      <Seal paper={paper} />
    </Page>
  )
}

/** An opinion, with the room for a signature and a seal. */
const Opinion = ({ title, text, signer }: { title: string; text: string | null | undefined; signer: string }) => (
  <tr>
    <th scope="row">{title}</th>
    <td className="form-declaration information-opinion" colSpan={4}>
      <p>{text}</p>
      <p>
        <span>
          {signer}：{LINE}（盖章）
        </span>
        <span>{NO_DAY}</span>
      </p>
    </td>
  </tr>
)

/** 毕业生登记表: cover, person and résumé, family and self-assessment, opinions. */
const GraduationSheets = ({ paper }: SheetProps) => {
  const { view } = paper
  const said = view.graduation
  const family = said?.family ?? []
  const empty = Array.from({ length: Math.max(0, 4 - family.length) }, (_, at) => at)
  return (
    <>
      <Page>
        <div className="information-cover">
          <PaperHead paper={paper} />
          <h1>毕业生登记表</h1>
          <dl>
            {(
              [
                ['姓　　名', view.name],
                ['学　　号', view.studentNo],
                ['层　　次', view.levelName],
                ['专　　业', view.majorName],
                ['学习形式', wordOf(view, 'studyForm')],
                ['教 学 点', view.siteName],
                ['毕业日期', view.expectedGraduationOn],
              ] as const
            ).map(([words, value]) => (
              <div key={words}>
                <dt>{words}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </Page>
      <Page>
        <h2>一、基本情况</h2>
        <table>
          <Columns />
          <tbody>
            <Person view={view} photo={view.photos.graduationUrl ?? view.photos.enrolUrl} />
            <Place view={view} />
            <Pair facts={['政治面貌', view.politicalStatus, '毕业后联系方式', said?.contactAfter]} />
            <Part title="本人简历（从小学起）" />
            <ResumeRows lines={resumeOf(view)} least={8} />
          </tbody>
        </table>
      </Page>
      <Page>
        <h2>二、家庭情况和自我鉴定</h2>
        <table>
          <Columns />
          <tbody>
            <Part title="家庭成员和主要社会关系" />
            <tr>
              <th scope="col">关系</th>
              <th scope="col">姓名</th>
              <th scope="col" colSpan={2}>
                工作单位
              </th>
              <th scope="col">职务</th>
            </tr>
            {family.map((line) => (
              <tr key={`${line.relation}${line.name}`}>
                <td>{line.relation}</td>
                <td>{line.name}</td>
                <td colSpan={2}>{line.unit}</td>
                <td>{line.duty}</td>
              </tr>
            ))}
            {empty.map((at) => (
              <tr key={at}>
                <td />
                <td />
                <td colSpan={2} />
                <td />
              </tr>
            ))}
            <Wide label="实习">{said?.practice}</Wide>
            <Wide label="论文题目">{said?.thesisTitle}</Wide>
            <Wide label="奖励">{said?.rewards}</Wide>
            <Wide label="处分">{said?.punishments}</Wide>
            <Part title="自我鉴定" />
            <tr>
              <td className="form-declaration information-assessment" colSpan={5}>
                <p>{said?.selfAssessment}</p>
                <Signed view={view} />
              </td>
            </tr>
          </tbody>
        </table>
      </Page>
      <Page>
        <h2>三、鉴定意见</h2>
        <table>
          <Columns />
          <tbody>
            <Opinion title="班级鉴定" text={view.classOpinion} signer="班主任" />
            <Opinion title="站点意见" text={view.siteOpinion} signer="负责人" />
            <Opinion title="院校意见" text={view.schoolOpinion} signer="负责人" />
          </tbody>
        </table>
        <Seal paper={paper} />
      </Page>
    </>
  )
}

/** All pages of a group's paper. */
export const Sheets = ({ group, paper }: SheetProps & { group: Group }) => {
  switch (group.kind) {
    case 'admission_information':
      return <InformationSheet paper={paper} />
    case 'admission_commitment':
      return (
        <>
          <CommitmentSheet paper={paper} />
          <QualificationSheet paper={paper} />
        </>
      )
    case 'graduation_information':
      return <GraduationSheets paper={paper} />
  }
}
