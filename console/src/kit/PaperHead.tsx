/** What stands above a paper of the school: its header, and where its office is to be reached. */
export const PaperHead = ({ paper }: { paper: { header: string; office?: string | null } }) => (
  <>
    <h2>{paper.header}</h2>
    {paper.office && <p className="sheet-office">{paper.office}</p>}
  </>
)
