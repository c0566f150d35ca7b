import type { BodyOf } from '@/api/operation'
import type { saveNavBar } from './api'

/** On computers or in the app. */
export type Terminal = BodyOf<typeof saveNavBar>['terminal']

/** A screen that stands in the menu once for each terminal. */
export interface OfTerminal {
  terminal: Terminal
  title: string
}
