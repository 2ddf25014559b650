import { onContentUpdated } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { onMounted } from "vue";
import "./style.css";

const tabs = ".vp-code-group label";

/** All tabs of all pages show the language that was chosen last. */
function showChosen() {
  const language = localStorage.getItem("language");
  for (const tab of document.querySelectorAll(tabs))
    if (tab.dataset.title === language && !tab.control.checked) tab.click();
}

export default {
  extends: DefaultTheme,
  setup() {
    onContentUpdated(showChosen);
    onMounted(() =>
      document.addEventListener("click", ({ target }) => {
        if (!target.matches(tabs)) return;
        localStorage.setItem("language", target.dataset.title);
        showChosen();
      }),
    );
  },
};
