/** The drawing of the sign-in page: a university's gate and library at evening, windows lit. Drawn for this page. */

const WINDOWS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
const FLOORS = [0, 1, 2]
const COLUMNS = [0, 1, 2, 3, 4, 5]
const STARS = [
  [60, 70],
  [150, 40],
  [260, 96],
  [380, 52],
  [520, 84],
  [640, 38],
  [720, 110],
] as const
const LIT = 3

const Wing = ({ x, seed }: { x: number; seed: number }) => (
  <g transform={`translate(${x} 0)`}>
    <path d="M0 330h190v150H0z" fill="#16357f" />
    <path d="M-8 322h206v10H-8z" fill="#2a51a8" />
    {FLOORS.flatMap((floor) =>
      WINDOWS.map((at) => (
        <rect
          key={`${floor}-${at}`}
          x={10 + at * 18}
          y={346 + floor * 42}
          width={9}
          height={22}
          rx={1.5}
          fill={(at * 7 + floor * 5 + seed) % LIT === 0 ? '#ffd98a' : '#2d55ad'}
        />
      )),
    )}
  </g>
)

const Tree = ({ x, y, size }: { x: number; y: number; size: number }) => (
  <g transform={`translate(${x} ${y}) scale(${size})`} fill="#0b235f">
    <path d="M-3 0h6v34h-6z" />
    <circle cx="0" cy="-18" r="26" />
    <circle cx="-18" cy="-4" r="18" />
    <circle cx="18" cy="-4" r="18" />
  </g>
)

export const Campus = () => (
  <svg className="login-campus" viewBox="0 0 800 600" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
    <defs>
      <linearGradient id="campus-sky" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#0a2466" />
        <stop offset=".55" stopColor="#1b4bb8" />
        <stop offset="1" stopColor="#4f86ea" />
      </linearGradient>
    </defs>
    <path d="M0 0h800v600H0z" fill="url(#campus-sky)" />
    {STARS.map(([x, y]) => (
      <circle key={x} cx={x} cy={y} r="1.6" fill="#cfe0ff" />
    ))}
    <circle cx="650" cy="130" r="34" fill="#e8f0ff" opacity=".9" />
    <circle cx="664" cy="120" r="30" fill="#1d4db9" opacity=".55" />
    <path d="M0 420c120-70 240-64 360-20s280 26 440-46v246H0z" fill="#1f4da9" opacity=".6" />
    <Wing x={70} seed={0} />
    <Wing x={540} seed={1} />
    <path d="M250 480V300h300v180z" fill="#1a3f95" />
    <path d="M232 300 400 206l168 94z" fill="#2d5bbd" />
    <path d="M262 300 400 222l138 78z" fill="#1c4298" />
    <circle cx="400" cy="270" r="17" fill="#ffe3a6" />
    <path d="M400 258v12l8 5" fill="none" stroke="#1a3f95" strokeWidth="2.4" strokeLinecap="round" />
    <path d="M236 300h328v14H236z" fill="#3b6bd0" />
    {COLUMNS.map((at) => (
      <g key={at} transform={`translate(${268 + at * 50} 314)`}>
        <path d="M0 0h18v150H0z" fill="#dbe7ff" opacity=".92" />
        <path d="M-3-2h24v7H-3zM-3 145h24v8H-3z" fill="#f2f6ff" />
      </g>
    ))}
    <path d="M372 464v-66a28 28 0 0 1 56 0v66z" fill="#ffd98a" />
    <path d="M399 372h2v92h-2z" fill="#1a3f95" />
    <path d="M238 466h324l14 12H224zM224 478h352l14 12H210z" fill="#c9d9fb" opacity=".85" />
    <path d="M0 486h800v114H0z" fill="#0d2c74" />
    <path d="M352 490h96l150 110H202z" fill="#2b56ad" opacity=".75" />
    <Tree x={40} y={470} size={1.1} />
    <Tree x={214} y={476} size={0.8} />
    <Tree x={590} y={476} size={0.8} />
    <Tree x={764} y={468} size={1.2} />
    <path d="M0 560c160-34 320-30 480-8s220 16 320-10v58H0z" fill="#081d52" />
  </svg>
)
