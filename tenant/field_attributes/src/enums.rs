//! The closed sets of field attributes (02 §1).

use infra::{Part, enumeration};

pub const PART: Part =
    Part { enumerations: &[FieldStage::ENUMERATION, FieldGroup::ENUMERATION, FieldControl::ENUMERATION], ..Part::NONE };

enumeration! {
    /// 环节
    pub enum FieldStage = "fieldStage" {
        PreRegistration = "pre_registration" "预报名",
        Registration = "registration" "报到",
        AdmissionInformation = "admission_information" "入学信息",
        GraduationInformation = "graduation_information" "毕业登记",
    }
}

enumeration! {
    /// 分组
    pub enum FieldGroup = "fieldGroup" {
        Basic = "basic" "基本信息",
        Contact = "contact" "联系方式",
        PreEducation = "pre_education" "入学前学历",
        Work = "work" "工作信息",
        Application = "application" "报读信息",
        Material = "material" "材料",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 控件
    pub enum FieldControl = "fieldControl" {
        Text = "text" "单行文本",
        Textarea = "textarea" "多行文本",
        Number = "number" "数字",
        Date = "date" "日期",
        Select = "select" "单选",
        MultiSelect = "multi_select" "多选",
        Switch = "switch" "开关",
        Image = "image" "图片",
        File = "file" "文件",
    }
}

impl FieldControl {
    /// Whether the value is a file and lies beside the others.
    pub const fn is_file(self) -> bool {
        matches!(self, Self::Image | Self::File)
    }

    /// Whether the value is a text, which may have a length and a pattern.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Textarea)
    }

    /// Whether the value is one or some of a dictionary's words.
    pub const fn chooses(self) -> bool {
        matches!(self, Self::Select | Self::MultiSelect)
    }
}
