import { defineConfig } from '@playwright/test'

/** The stories run against the real server: CHENGJIAO_URL names it, CHROMIUM the browser of the machine. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    baseURL: process.env.CHENGJIAO_URL ?? 'http://127.0.0.1:8080/',
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    actionTimeout: 4000,
    viewport: { width: 1366, height: 768 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
