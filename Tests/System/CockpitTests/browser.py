"""A headless Chromium with a page of Cockpit, for tests."""
import os
import pathlib
import shutil
import tempfile

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from lab import until

SCREENSHOTS = os.environ.get("SCREENSHOTS")


class Browser:
    def __init__(self, address, width=1280, height=900):
        self.address = address
        self.profile = tempfile.mkdtemp(prefix="tacet-chromium-")
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                         "--disable-background-networking", "--disable-component-update", f"--user-data-dir={self.profile}",
                         f"--window-size={width},{height}", "--lang=en", "--force-prefers-reduced-motion"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.size(width, height)
        # Collects errors that no handler catches in any frame, which Cockpit would show.
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
            window.failures = [];
            window.addEventListener("error", event => failures.push(event.message));
            window.addEventListener("unhandledrejection", event => failures.push(String(event.reason)));
        """)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def size(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def open(self, path="/cockpit/@localhost/tacet/index.html"):
        self.driver.get(self.address + path)

    def ready(self):
        until("connected page", lambda: self.phase() != "connecting")

    def phase(self):
        return self.script("return document.getElementById('page').dataset.phase")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """Returns the text of an element, visible or not."""
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector).strip()

    def visible(self, selector):
        return any(one.is_displayed() for one in self.all(selector))

    def click(self, selector):
        node = self.find(selector)
        self.script("arguments[0].scrollIntoView({block: 'center'})", node)
        node.click()

    def show(self, selector):
        self.script("document.querySelector(arguments[0]).scrollIntoView({block: 'start'})", selector)

    def top(self):
        self.script("window.scrollTo(0, 0)")

    def press(self, *keys):
        # The keys are sent to the element with the focus, because a redrawn picture contains new nodes.
        ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self):
        """Returns the ID or the text of the element with the focus."""
        return self.script("const node = document.activeElement; return node.id || node.dataset.key || node.textContent.trim()")

    def row(self, section, name):
        """Returns the text of a row in a list."""
        return self.script(
            "return [...document.querySelectorAll(`#${arguments[0]} .row`)]"
            ".find(row => row.querySelector('.name').textContent === arguments[1])?.innerText ?? ''", section, name)

    def complaints(self):
        """Returns errors of the page's scripts, and requests that the browser blocked."""
        return self.script("return window.failures") + [
            entry["message"] for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and "favicon" not in entry["message"]]

    def picture(self, name):
        """Takes a screenshot of the whole page."""
        if not SCREENSHOTS:
            return
        import base64
        size = self.script("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        data = self.cdp("Page.captureScreenshot", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1})["data"]
        pathlib.Path(SCREENSHOTS, f"{name}.png").write_bytes(base64.b64decode(data))


__all__ = ["Browser", "By", "Keys", "until"]
