//! The account page: everything by plain forms, on a desktop and on a phone.

use super::cdp::{Browser, Page};
use super::desk::open;
use super::shots::keep;
use crate::common::{PASSWORD, Site, log_in};

/// Fills the fields of a form and sends it.
pub(crate) async fn submit(page: &Page, action: &str, fields: &[(&str, &str)]) {
    for (name, value) in fields {
        page.eval(&format!(
            "document.querySelector('form[action=\"{action}\"] [name={name}]').value = '{value}'"
        ))
        .await;
    }
    page.click(&format!("form[action=\"{action}\"] button"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_opened_changed_and_deleted() {
    let (site, browser) = (Site::start().await, Browser::start());
    for (width, height, name) in [(1280, 800, "desktop"), (390, 844, "phone")] {
        let page = browser.person().await;
        page.size(width, height).await;
        open(&page, &site, "/account").await;
        let own = [("name", name), ("password", PASSWORD)];
        submit(&page, "/account/register", &own).await;
        page.until("document.querySelectorAll('.sessions li').length === 1")
            .await;
        log_in(&mut site.visitor().await, name).await;
        open(&page, &site, "/account").await;
        page.until("document.querySelectorAll('.sessions li').length === 2")
            .await;
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        page.until(fits).await;
        keep(&page, &format!("account-{name}")).await;
        page.eval("document.querySelector('details.panel').open = true, document.querySelector('#sessions-title').scrollIntoView()")
            .await;
        page.until(fits).await;
        keep(&page, &format!("account-sessions-{name}")).await;
        page.eval("document.querySelector('.account-forms').scrollIntoView()")
            .await;
        keep(&page, &format!("account-forms-{name}")).await;
        submit(&page, "/account/sessions/revoke", &[]).await;
        page.until("document.querySelectorAll('.sessions li').length === 1")
            .await;
        let new = [("password", PASSWORD), ("new", "another horse")];
        submit(&page, "/account/password", &new).await;
        page.until(
            "location.search === '?done=password' && document.querySelector('[role=status]')",
        )
        .await;
        page.eval("document.querySelector('details.panel').open = true")
            .await;
        submit(&page, "/account/delete", &[("password", "another horse")]).await;
        page.until(
            "location.search === '?done=deleted' && document.querySelector('#register-name')",
        )
        .await;
    }
}
