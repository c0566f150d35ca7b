import { defineConfig } from '@playwright/test'
import stories from './playwright.config'

/** The speed of every page as the eye has it: `make bench BENCH=console`. It prints, and fails nothing. */
export default defineConfig({ ...stories, testDir: 'bench', testMatch: '**/*.bench.ts', workers: 1, timeout: 600_000 })
