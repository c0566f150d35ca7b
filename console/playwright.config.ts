import { defineConfig } from '@playwright/test'

/**
 * The stories run against the real server over data of its own: CHENGJIAO_URL names another one, CHROMIUM the browser of
 * the machine. A file is one worker's, because a person's newer session ends the older one: no account in two files.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './e2e/server.ts',
  workers: 2,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    baseURL: process.env.CHENGJIAO_URL ?? 'http://127.0.0.1:8080/',
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    actionTimeout: 8000,
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1366, height: 768 },
    // A trace takes a third of the time: `npm run e2e -- --trace retain-on-failure` where a failure is not understood.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        // Pages live for seconds: to optimise their code and to collect garbage on many threads costs two cores a fifth of all time.
        '--js-flags=--no-opt --no-maglev --single-threaded-gc',
        // A school's address without https: no WebCrypto there.
        '--host-resolver-rules=MAP school.test 127.0.0.1',
      ],
    },
  },
})
