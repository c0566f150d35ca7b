import { Button } from '@arco-design/web-react'
import { IconCheck, IconClose } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useAllowed } from '@/api/identity'
import { refetchAll } from '@/api/query'
import { useCall } from '@/api/schoolContext'
import { teachers } from '@/basic_data/choices'
import type { BulkResult } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { tellSaved } from '@/kit/saved'
import { changesOf, isOpen, type Line, lineName, ownOf, type Role, type Teacher, teachersOf } from './allocationRules'
import { deleteAllocation, deleteAllocations, editAllocation, saveAllocations, viewAllocation } from './api'
import { roleWord } from './choices'

/** What became of a cell. */
interface Outcome {
  /** What the person reads; nothing where nothing changed. */
  words?: string
  warnings: string[]
  failed: BulkResult['failed']
}

const UNCHANGED: Outcome = { warnings: [], failed: [] }

/** What a choice in a cell does: whoever is named for the line changes, what is of all classes stays as it is. */
const useCell = (line: Line, role: Role, end: () => void) => {
  const call = useCall()
  const own = ownOf(line, role)
  const place = { openingId: line.opening.id, classId: line.group?.classId, role }
  const allocated = `已安排${lineName(line)}的${roleWord(role)}`
  const settled = {
    onSuccess: async ({ words, warnings, failed }: Outcome) => {
      end()
      await refetchAll()
      if (failed.length > 0) tellFailures('移除任课', { done: 0, failed })
      if (words) tellSaved(words, { warnings })
    },
    // What was refused often means that what is shown is old.
    onError: () => refetchAll(),
  }
  const add = (teacherIds: readonly number[]) =>
    call(saveAllocations, { body: { items: teacherIds.map((teacherId) => ({ ...place, teacherId })) } })
  const one = useMutation({
    mutationFn: async (teacherId: number | undefined): Promise<Outcome> => {
      const [held] = own
      if (held?.teacherId === teacherId) return UNCHANGED
      if (held && teacherId === undefined) {
        await call(deleteAllocation, { query: { id: held.id } })
        return { ...UNCHANGED, words: `已移除${lineName(line)}的${roleWord(role)}` }
      }
      if (teacherId === undefined) return UNCHANGED
      if (!held) return { ...UNCHANGED, warnings: (await add([teacherId])).warnings, words: allocated }
      // The whole allocation goes back, of which the grid shows a part; the version is the one that was seen.
      const { hours, remark } = await call(viewAllocation, { query: { id: held.id } })
      const body = { ...place, id: held.id, version: held.version, hours, remark, teacherId }
      return { ...UNCHANGED, warnings: (await call(editAllocation, { body })).warnings, words: allocated }
    },
    ...settled,
  })
  const several = useMutation({
    mutationFn: async (chosen: readonly number[]): Promise<Outcome> => {
      const { added, removed } = changesOf(own, chosen)
      if (added.length + removed.length === 0) return UNCHANGED
      const { warnings } = added.length > 0 ? await add(added) : UNCHANGED
      const { failed } = removed.length > 0 ? await call(deleteAllocations, { body: { ids: removed } }) : UNCHANGED
      return { words: allocated, warnings, failed }
    },
    ...settled,
  })
  return { own, one, several }
}

interface EditorProps {
  line: Line
  role: Role
  onEnd: () => void
}

/** The selector in the place of the names: it takes the keyboard at once, Esc leaves everything as it was. */
const Editor = ({ line, role, onEnd }: EditorProps) => {
  const box = useRef<HTMLDivElement>(null)
  const { own, one, several } = useCell(line, role, onEnd)
  const [chosen, setChosen] = useState<number[]>(own.map(({ teacherId }) => teacherId))
  useEffect(() => box.current?.querySelector<HTMLElement>('[role=combobox]')?.click(), [])
  const label = `${lineName(line)}的${roleWord(role)}`
  const isBusy = one.isPending || several.isPending
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onEnd()
  }
  const [held] = own
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc in the selector is heard on its way out
    <div className="teacher-editor" ref={box} onKeyDown={onKeyDown}>
      {role === 'lecturer' ? (
        <OptionSelect
          label={label}
          {...teachers}
          disabled={isBusy}
          value={one.isPending ? one.variables : held?.teacherId}
          known={held && { code: held.teacherId, desc: held.name }}
          onChange={(id) => one.mutate(id)}
        />
      ) : (
        <>
          <SeveralOptions
            label={label}
            placeholder="请选择"
            {...teachers}
            known={own.map(({ teacherId, name }) => ({ code: teacherId, desc: name }))}
            value={chosen}
            onChange={setChosen}
          />
          <Button
            size="mini"
            type="primary"
            icon={<IconCheck />}
            aria-label={`保存${label}`}
            loading={isBusy}
            onClick={() => several.mutate(chosen)}
          />
        </>
      )}
      <Button size="mini" icon={<IconClose />} aria-label={`取消修改${label}`} disabled={isBusy} onClick={onEnd} />
    </div>
  )
}

const wordsOf = (found: readonly Teacher[]) => found.map(({ name }) => name).join('、')

/** Who teaches a line in a role; pressed, it becomes the selector, but where rows of many schools stand and are only read. */
export const TeacherCell = ({ line, role, fixed }: { line: Line; role: Role; fixed: boolean }) => {
  const [edits, setEdits] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const allowed = useAllowed()
  const found = teachersOf(line, role)
  const inherited = ownOf(line, role).length === 0 && found.length > 0
  const words = found.length > 0 ? wordsOf(found) : '—'
  const shown = inherited ? (
    <span className="nothing" title="来自全部班级的安排">
      {words}
    </span>
  ) : (
    words
  )
  const may = [saveAllocations, editAllocation, role === 'lecturer' ? deleteAllocation : deleteAllocations].every(
    allowed,
  )
  if (fixed || !may || !isOpen(line.opening)) return shown
  if (edits)
    return (
      <Editor
        line={line}
        role={role}
        onEnd={() => {
          setEdits(false)
          // The keyboard goes back to where it was.
          requestAnimationFrame(() => button.current?.focus())
        }}
      />
    )
  return (
    <button
      ref={button}
      type="button"
      className="teacher-cell"
      aria-label={`${lineName(line)}的${roleWord(role)}：${found.length > 0 ? words : '未安排'}`}
      onClick={() => setEdits(true)}
    >
      {found.length > 0 ? shown : '选择'}
    </button>
  )
}
