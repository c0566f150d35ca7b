import { screenOfBoth } from '@/schools/screens'

export const routes = screenOfBoth('onlineTeaching', () => import('./StudyPage').then((page) => page.StudyPage))
