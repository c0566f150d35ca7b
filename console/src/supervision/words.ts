import { labelOf } from '@/kit/labels'
import { remindSuperviseStudents, saveSuperviseCase, saveSuperviseRule } from './api'

export const kindWord = (kind: string) => labelOf(saveSuperviseRule, 'kind', kind)
export const levelWord = (level: string) => labelOf(saveSuperviseCase, 'level', level)
export const channelWord = (channel: string) => labelOf(remindSuperviseStudents, 'channels', channel)
