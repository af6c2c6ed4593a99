import ts from "typescript";

type Place = { name: string; line: number };
type FunctionFigures = Place & { lines: number; parameters: number };

/** The figures of one file that the rules on size and naming use. */
export type SourceFigures = {
  lines: number;
  functions: FunctionFigures[];
  /** `...{ a, b }` and `...[a, b]`: fields packed to avoid the formatter's line breaks */
  spreadLiterals: Place[];
  exportedFunctions: string[];
};

type FunctionNode =
  | ts.ArrowFunction
  | ts.FunctionExpression
  | ts.FunctionDeclaration
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration;

const isFunctionNode = (node: ts.Node): node is FunctionNode =>
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node);

/**
 * The name of a function, or of the constant or property to which it is assigned; null for a function that is only
 * passed as an argument.
 */
const nameOf = (node: FunctionNode): string | null => {
  if (ts.isConstructorDeclaration(node)) return `new ${node.parent.name?.getText() ?? "class"}`;
  if (node.name) return node.name.getText();
  const { parent } = node;
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return isNamed && parent.initializer === node ? parent.name.getText() : null;
};

const isSpreadLiteral = (node: ts.Node): boolean =>
  ((ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node)) && ts.isObjectLiteralExpression(node.expression)) ||
  (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression));

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

const exportedFunctionsOf = (source: ts.SourceFile): string[] =>
  source.statements.filter(isExported).flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : [];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer && isFunctionNode(initializer) ? [name.getText()] : [],
    );
  });

/** @param file its extension decides whether the text is parsed as TSX. */
export const measureSource = (file: string, text: string): SourceFigures => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const functions: FunctionFigures[] = [];
  const spreadLiterals: Place[] = [];
  const visit = (node: ts.Node): void => {
    const line = lineOf(node.getStart());
    if (isSpreadLiteral(node)) spreadLiterals.push({ name: file, line });
    if (isFunctionNode(node)) {
      const name = nameOf(node);
      const lines = lineOf(node.end) - line + 1;
      // If a function is only passed as an argument, the function that receives it determines its parameters.
      functions.push({ name: name ?? "(callback)", line, lines, parameters: name ? node.parameters.length : 0 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return {
    lines: lineOf(text.trimEnd().length),
    functions,
    spreadLiterals,
    exportedFunctions: exportedFunctionsOf(source),
  };
};
