use serde::de::{Deserialize, Deserializer, Error as _};

/// A text in the three languages of the pages.
///
/// ```
/// use convoy_lessons::Course;
/// let course = Course::tractor()?;
/// let title = &course.chapters[0].title;
/// assert_eq!(title.of("vi"), title.vi);
/// # Ok::<_, convoy_lessons::LessonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// English.
    #[serde(deserialize_with = "text")]
    pub en: String,
    /// Tiếng Việt.
    #[serde(deserialize_with = "text")]
    pub vi: String,
    /// 中文.
    #[serde(deserialize_with = "text")]
    pub zh: String,
}

/// A text that says something.
pub(crate) fn text<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    let text = String::deserialize(input)?;
    if text.trim().is_empty() {
        return Err(D::Error::custom("an empty text"));
    }
    Ok(text)
}

impl Words {
    /// The text in the language with this tag; English for others.
    pub fn of(&self, tag: &str) -> &str {
        match tag {
            "vi" => &self.vi,
            "zh" => &self.zh,
            _ => &self.en,
        }
    }
}
