// A file as its text, which Vite reads where tests cannot.

declare module '*.md?raw' {
  const text: string;
  export default text;
}

declare module '*.html?raw' {
  const text: string;
  export default text;
}
