/** Caches the result of `make` per object, for the lifetime of the object. Only for results that don't change. */
export const rememberBy = <Subject extends object, Answer extends NonNullable<unknown> | null>(
  make: (subject: Subject) => Answer,
): ((subject: Subject) => Answer) => {
  const known = new WeakMap<Subject, Answer>();
  return (subject) => {
    const before = known.get(subject);
    if (before !== undefined) return before;
    const answer = make(subject);
    known.set(subject, answer);
    return answer;
  };
};
