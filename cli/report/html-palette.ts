/** The colours of our pages: those of the system's light or dark theme. */
export const palette = `:root {
  --ground: #f6f7f9; --card: #ffffff; --ink: #1c2430; --soft: #5c6878; --line: #dfe3e9; --accent: #2457c5;
  --amber: #8a5200; --amber-ground: #fff1d6; --red: #a3212b; --red-ground: #fde4e4;
  --green: #17663a; --green-ground: #ddf3e4; --grey: #4d5866; --grey-ground: #e8ebf0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --card: #1a2029; --ink: #e6eaf0; --soft: #97a3b4; --line: #2c3542; --accent: #8ab0ff;
    --amber: #ffc966; --amber-ground: #3d2f12; --red: #ff9a9a; --red-ground: #43202a;
    --green: #86dba6; --green-ground: #163524; --grey: #b4bfcc; --grey-ground: #2a323d;
  }
}
`;
