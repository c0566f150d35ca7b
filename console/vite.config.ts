import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/**
 * Lets Arco's style sheets follow tree shaking and code splitting: each component that is bundled brings its own sheet.
 * The development server pre-bundles Arco, which plugins do not see, so it takes the whole sheet.
 */
const arcoCss = (): Plugin => {
  let build = false
  return {
    name: 'arco-css',
    enforce: 'pre',
    configResolved: (config) => {
      build = config.command === 'build'
    },
    resolveId: (id) => (id === 'virtual:arco.css' ? '\0arco-css.js' : undefined),
    load: (id) =>
      id === '\0arco-css.js'
        ? `import '@arco-design/web-react/${build ? 'es/style/index.css' : 'dist/css/arco.css'}'`
        : undefined,
    transform: {
      filter: { id: /@arco-design\/web-react\/es\/[A-Z]\w+\/index\.js$/ },
      handler: (code, id) =>
        build && existsSync(id.replace('index.js', 'style/css.js')) ? `${code}\nimport './style/css.js'` : undefined,
    },
  }
}

export default defineConfig({
  base: './',
  plugins: [arcoCss(), react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/admin': 'http://127.0.0.1:8080' } },
  build: { target: 'es2022', chunkSizeWarningLimit: 700 },
  test: {
    // A file that needs a page says so in its first line: most do not, and making one takes longer than their tests.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}'],
    env: { TZ: 'Asia/Shanghai' },
    server: { deps: { inline: [/@arco-design/] } },
  },
})
