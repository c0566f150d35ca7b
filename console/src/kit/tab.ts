import { createContext, useContext, useEffect, useId } from 'react'
import { useTabs } from './tabs'

/** The tab in which a page is shown; 0 outside the shell. */
export const TabContext = createContext(0)

/** Adds a short key to the tab's title: 章节管理-高等数学. */
export const useTabTitle = (title: string | undefined) => {
  const id = useContext(TabContext)
  const setTitle = useTabs((state) => state.setTitle)
  useEffect(() => {
    if (title) setTitle(id, title)
  }, [id, title, setTitle])
}

/**
 * Tells the shell that the tab holds something that was typed and not saved. There is no clean-up: a hidden tab runs
 * it too, and its draft is still there.
 */
export const useUnsaved = (unsaved: boolean) => {
  const tab = useContext(TabContext)
  const form = useId()
  const setDraft = useTabs((state) => state.setDraft)
  useEffect(() => setDraft(`${tab}${form}`, tab, unsaved), [form, tab, unsaved, setDraft])
}
