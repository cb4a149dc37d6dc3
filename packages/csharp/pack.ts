// Makes the NuGet package without .NET: Mono's compiler makes the assembly, and a nupkg is a zip.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const HERE = import.meta.dirname;
const run = promisify(execFile);
const ZIP = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as made:
    for name in sys.argv[2:]:
        made.write(name)`;

/** The text of one element of the project file. Throws if it has none. */
function told(project: string, name: string): string {
  const text = new RegExp(`<${name}>(.+?)</${name}>`).exec(project)?.[1];
  if (text === undefined) {
    throw new Error(`packages/csharp/Muster.csproj has no ${name}`);
  }
  return text;
}

/** What `dotnet pack` would say of the project. */
function manifestOf(project: string): string {
  const element = (name: string, from: string): string =>
    `    <${name}>${told(project, from)}</${name}>\n`;
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
${element('id', 'PackageId')}${element('version', 'Version')}${element('authors', 'Authors')}${element('description', 'Description')}${element('tags', 'PackageTags')}    <license type="expression">${told(project, 'PackageLicenseExpression')}</license>
    <readme>README.md</readme>
    <dependencies>
      <group targetFramework="${told(project, 'TargetFramework')}" />
    </dependencies>
  </metadata>
</package>
`;
}

const TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />
${['nuspec', 'dll', 'xml', 'md'].map((each) => `  <Default Extension="${each}" ContentType="application/octet" />\n`).join('')}</Types>
`;

function relationsOf(id: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/${id}.nuspec" Id="R1" />
</Relationships>
`;
}

/** Writes `Muster.Client.VERSION.nupkg` into the folder, and answers its path. Needs `mcs` and `python3`. */
export async function nupkg(
  out: string,
  { mcs = 'mcs', python = 'python3' } = {},
): Promise<string> {
  const project = await readFile(join(HERE, 'Muster.csproj'), 'utf8');
  const [id, version] = [told(project, 'PackageId'), told(project, 'Version')];
  const folder = await mkdtemp(join(tmpdir(), 'muster-nupkg-'));
  try {
    const lib = `lib/${told(project, 'TargetFramework')}`;
    const texts = {
      '[Content_Types].xml': TYPES,
      '_rels/.rels': relationsOf(id),
      [`${id}.nuspec`]: manifestOf(project),
      'README.md': await readFile(join(HERE, 'README.md'), 'utf8'),
    };
    await mkdir(join(folder, lib), { recursive: true });
    await mkdir(join(folder, '_rels'));
    await writeFile(
      join(folder, 'Version.cs'),
      `[assembly: System.Reflection.AssemblyVersion("${version}")]\n`,
    );
    for (const [name, text] of Object.entries(texts)) {
      await writeFile(join(folder, name), text);
    }
    const files = [`${lib}/Muster.dll`, `${lib}/Muster.xml`];
    // 1587, 1591: comments of what is not public, and none of what is.
    const options = ['-target:library', '-optimize', '-langversion:6', '-nowarn:1587,1591'];
    const outputs = [`-out:${files[0]}`, `-doc:${files[1]}`, '-r:System.Net.Http'];
    const sources = ['Version.cs', `-recurse:${join(HERE, '../unity/Core/*.cs')}`];
    await run(mcs, [...options, ...outputs, ...sources], { cwd: folder });
    const path = join(out, `${id}.${version}.nupkg`);
    await run(python, ['-c', ZIP, path, ...Object.keys(texts), ...files], { cwd: folder });
    return path;
  } finally {
    await rm(folder, { recursive: true });
  }
}
