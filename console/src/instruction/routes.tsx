import { screen } from '@/kit/screen'
import { paths } from '@/paths'

export const routes = screen(paths.instructionScores, () =>
  import('./InstructionPage').then((page) => page.InstructionPage),
)
