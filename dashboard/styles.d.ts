// Styles are bundled beside the script that imports them; as a module they hold nothing.
declare module '*.css';
