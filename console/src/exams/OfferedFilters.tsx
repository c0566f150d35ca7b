import { grades, levels, majors, semesters } from '@/basic_data/choices'
import { OptionSelect } from '@/kit/OptionSelect'

/** Which courses a wizard offers. */
export interface Offered {
  semesterId?: number
  gradeId?: number
  levelId?: number
  majorId?: number
  /** Those that are written on paper. */
  onPaper?: boolean
}

const asked = [
  ['semesterId', '学期', semesters],
  ['gradeId', '年级', grades],
  ['levelId', '层次', levels],
  ['majorId', '专业', majors],
] as const

/** 学期, and within it grade, level and major. */
export const OfferedFilters = ({ value, onChange }: { value: Offered; onChange: (next: Offered) => void }) => (
  <div className="filters form-lead">
    {asked.map(([field, label, choices]) => (
      <div key={field} className="filter">
        <span className="filter-label">{label}</span>
        <OptionSelect
          label={label}
          placeholder={field === 'semesterId' ? '请选择' : '全部'}
          options={choices.options}
          query={choices.query}
          value={value[field]}
          onChange={(id) => onChange({ ...value, [field]: id })}
        />
      </div>
    ))}
  </div>
)
