/**
 * Whether somebody is before the screen. What a page asks for by itself, such as running jobs or new messages, says so when
 * nobody is, and then keeps no session alive: one that is left ends after `session.idleMinutes`.
 */
const ATTENDED_MS = 120_000

let touchedAt = Date.now()

const touch = () => {
  touchedAt = Date.now()
}
for (const sign of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
  addEventListener(sign, touch, { capture: true, passive: true })
}

export const isAttended = () => Date.now() - touchedAt < ATTENDED_MS
