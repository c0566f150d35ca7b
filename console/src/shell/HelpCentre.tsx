import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { useIdentity } from '@/api/identity'
import { HelpCentrePage } from '@/support/HelpCentrePage'
import { useTheme } from './theme'
import { watchIdentity } from './watchIdentity'

/** 帮助中心 in a window of its own: in the school's colour, and only as long as the person is who they were. */
export const HelpCentre = () => {
  const account = useIdentity((state) => state.account)
  const setBrand = useTheme((state) => state.setBrand)
  useEffect(() => setBrand(account?.brandColor), [setBrand, account?.brandColor])
  useEffect(watchIdentity, [])
  // What must be done first is asked for in the shell.
  const held = useIdentity((state) => state.mustChangePassword || state.mustSetTotp)
  return held ? <Navigate to="/" replace /> : <HelpCentrePage />
}
