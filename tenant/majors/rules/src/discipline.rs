//! 学科门类 and 专业大类: the first two digits of the ministry's codes (part 03 A3).

use infra::enumeration;
use term::NationalLevel;

enumeration! {
    /// 门类
    pub enum Discipline = "discipline" {
        Philosophy = "01" "哲学",
        Economics = "02" "经济学",
        Law = "03" "法学",
        Education = "04" "教育学",
        Literature = "05" "文学",
        History = "06" "历史学",
        Science = "07" "理学",
        Engineering = "08" "工学",
        Agriculture = "09" "农学",
        Medicine = "10" "医学",
        Management = "12" "管理学",
        Arts = "13" "艺术学",
        Interdisciplinary = "14" "交叉学科",
        FarmingForestryFishery = "41" "农林牧渔大类",
        ResourcesAndSafety = "42" "资源环境与安全大类",
        EnergyAndMaterials = "43" "能源动力与材料大类",
        Construction = "44" "土木建筑大类",
        WaterConservancy = "45" "水利大类",
        EquipmentManufacturing = "46" "装备制造大类",
        BiologyAndChemistry = "47" "生物与化工大类",
        LightIndustry = "48" "轻工纺织大类",
        FoodDrugsAndGrain = "49" "食品药品与粮食大类",
        Transport = "50" "交通运输大类",
        ElectronicsAndInformation = "51" "电子与信息大类",
        HealthCare = "52" "医药卫生大类",
        FinanceAndCommerce = "53" "财经商贸大类",
        Tourism = "54" "旅游大类",
        CultureAndArts = "55" "文化艺术大类",
        Journalism = "56" "新闻传播大类",
        EducationAndSports = "57" "教育与体育大类",
        PublicSecurityAndJustice = "58" "公安与司法大类",
        PublicAdministration = "59" "公共管理与服务大类",
    }
}

impl Discipline {
    /// 门类 are the bachelor's, 专业大类 the associate's.
    pub fn level(self) -> NationalLevel {
        if self.as_str() < "41" { NationalLevel::Bachelor } else { NationalLevel::Associate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shipped catalogues call them as here.
    #[test]
    fn the_catalogues_know_these_and_no_others() {
        let files = [
            (NationalLevel::Bachelor, include_str!("../../data/national_major_bachelor.csv")),
            (NationalLevel::Associate, include_str!("../../data/national_major_associate.csv")),
        ];
        let mut met = std::collections::BTreeSet::new();
        for (level, text) in files {
            for line in text.lines().skip(1) {
                let fields: Vec<&str> = line.split(',').collect();
                let known = Discipline::parse(fields[3]).expect(line);
                assert_eq!((known.zh(), known.level()), (fields[4], level), "{line}");
                met.insert(fields[3]);
            }
        }
        assert_eq!(met.len(), Discipline::CHOICES.len());
    }
}
