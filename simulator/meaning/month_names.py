"""Names of months and halves of a day, in the languages that personas have, as browsers write them in dates.

Taken from CLDR 48 (``Intl.DateTimeFormat`` of ICU 78: long and short, alone and within a date), folded as
:mod:`simulator.meaning.dates` folds a text; of a name of two words the last one stands here. A name may belong to two
months: ``listopad`` is October in Croatian and November in Polish. ``tests/meaning`` holds this against the Intl of a
browser's driver. Not responsible for: reading a date.
"""

from typing import Final

_NAMES = (
    """
    ean eanáir ene enero gen gener gennaio ian ianuarie jaan jaanuar jan janairu janeiro januar januari january
    januwari január januára janv janvier janvāris janúar jen jenụwarị jän jänner led leden ledna oca ocak sausio
    sausis sij siječanj siječnja sty styczeń stycznia tammi tammikuu tammikuuta urt urtarrila urtarrilaren
    urtren yan yanvar ιαν ιανουάριοσ ιανουαρίου січ січень січня янв январь января януари јан јануар јануари հնվ
    հունվար հունվարի ינו ינואר يناير ژانویه ژانویهٔ जन जनवरी जाने जानेवारी জানু জানুয়ারি જાન્યુ જાન્યુઆરી
    ଜାନୁଆରୀ ஜன ஜனவரி දුරුතු ม.ค มกราคม იან იანვარი ṣẹ́rẹ́
    """,
    """
    fab faburairu feabh feabhra feb febbraio febr febrer febrero februar februari februarie february februwari
    február februára februāris febrúar febrụwarị fev fevereiro fevral févr février helmi helmikuu helmikuuta lut
    lutego luty ots otsaila otsailaren otsren peb pebrero vasario vasaris veebr veebruar velj veljača veljače
    èrèlè úno únor února şub şubat φεβ φεβρουάριοσ φεβρουαρίου лют лютий лютого феб фебруар фев февр февраль
    февраля февруари փետրվար փետրվարի փտվ פבר פברואר فبراير فوریه فوریهٔ फ़र फ़रवरी फेब्रु फेब्रुअरी फेब्रुवारी
    ফেব ফেব্রুয়ারি ફેબ્રુ ફેબ્રુઆરી ଫେବୃଆରୀ பிப் பிப்ரவரி නවම් ก.พ กุมภาพันธ์ თებ თებერვალი
    """,
    """
    bře březen března kovas kovo maa maachị maalis maaliskuu maaliskuuta maart mac mar marca march marec maret
    maris marren mars marso mart martie marts martxoa martxoaren marzec marzo març março mas mashi mrt mrz márc
    március márta mär märts märz ožu ožujak ožujka μάρτιοσ μαρ μαρτίου бер березень березня мар март марта մարտ
    մարտի մրտ מרץ مارس मार्च মার্চ માર્ચ ମାର୍ଚ୍ଚ மார் மார்ச் මැදින් มี.ค มีนาคม მარ მარტი ẹrẹ̀nà
    """,
    """
    abr abril afi afirilu aib aibreán api apiren apirila apirilaren apr aprel april aprile aprilie aprill apríl
    apríla aprīlis avr avril balandis balandžio d'abr d'abril dub duben dubna eph ephreli epr epreel huhti
    huhtikuu huhtikuuta kwi kwiecień kwietnia nis nisan tra travanj travnja ápr április ìgbé απρ απρίλιοσ
    απριλίου апр апрель апреля април квіт квітень квітня ապր ապրիլ ապրիլի אפר אפריל آوریل أبريل अप्रिल अप्रैल
    एप्रि एप्रिल এপ্রি এপ্রিল એપ્રિલ ଅପ୍ରେଲ ஏப் ஏப்ரல் බක් เม.ย เมษายน აპრ აპრილი
    """,
    """
    beal bealtaine gegužė gegužės kvě květen května mag maggio mai maiatza maiatzaren maig maijs maio mairen maj
    maja may mayis mayo mayu maí mee mei mey meyi máj mája május svi svibanj svibnja touko toukokuu toukokuuta
    μάιοσ μαΐ μαΐου май мая мај трав травень травня մայիս մայիսի մյս מאי مايو مه مهٔ मई मे মে મે ମଇ மே වෙසක්
    พ.ค พฤษภาคม მაი მაისი ẹ̀bibi
    """,
    """
    birželio birželis cze czerwca czerwiec eka ekaina ekainaren ekaren giu giugno haz haziran hun hunyo iun
    iunie iyn iyun juin jun june junho juni junij junio juny juu juuni jún júna június júní jūn jūnijs kesä
    kesäkuu kesäkuuta lip lipanj lipnja meith meitheamh yun yuni òkúdu červen června čvn ιουν ιουνίου ιούνιοσ
    июн июнь июня черв червень червня юни јун јуни հնս հունիս հունիսի יוני يونيو ژوئن जुन जून জুন જૂન ଜୁନ ஜூன்
    පොසොන් มิ.ย มิถุนายน ივნ ივნისი
    """,
    """
    agẹmọ heinä heinäkuu heinäkuuta hul hulyo iul iulie iyl iyul iúil juil juill juillet jul julai julayi julaị
    julho juli julij julio juliol july juuli júl júla július júlí jūl jūlijs liepa liepos lip lipca lipiec lug
    luglio srp srpanj srpnja tem temmuz uzt uztaila uztailaren uztren yul yuli července červenec čvc ιουλ
    ιουλίου ιούλιοσ июл июль июля лип липень липня юли јул јули հլս հուլիս հուլիսի יולי يوليو ژوئیه ژوئیهٔ जुल
    जुलाई जुलै জুল জুলাই જુલાઈ ଜୁଲାଇ ஜூலை ඇසළ ก.ค กรกฎาคม ივლ ივლისი
    """,
    """
    abu aburen abuztua abuztuaren ag aga agasti ago agost agosto agu agusta agustus août aug august augusta
    augusti augusts augustus augusztus avg avgust avq avqust ağu ağustos d'ag d'agost elo elokuu elokuuta kol
    kolovoz kolovoza lún lúnasa ogo ogos rugpjūtis rugpjūčio sie sierpień sierpnia srp srpen srpna ágú ágúst
    ògún αυγ αυγούστου αύγουστοσ авг август августа серп серпень серпня օգոստոս օգոստոսի օգս אוג אוגוסט أغسطس
    اوت अग अगस्ट अगस्त ऑग ऑगस्ट আগ আগস্ট ઑગસ્ટ ଅଗଷ୍ଟ ஆக ஆகஸ்ட் නිකිණි ส.ค สิงหาคม აგვ აგვისტო ọgọ ọgọọst
    """,
    """
    eyl eylül ira iraila irailaren iraren mfómh owewe rugsėjis rugsėjo ruj rujan rujna sat satumba sen sentabr
    sentyabr sep sept septemba september septembra septembre septembrie septembris septhemba septiembre set
    setembre setembro settembre setyembre syys syyskuu syyskuuta szept szeptember wrz wrzesień września zář září
    σεπ σεπτέμβριοσ σεπτεμβρίου вер вересень вересня сент сентябрь сентября сеп септембар септември սեպ
    սեպտեմբեր սեպտեմբերի ספט ספטמבר سبتمبر سپتامبر सप्टें सप्टेंबर सित सितंबर सेप्टेम्बर সেপ সেপ্ট সেপ্টেম্বর
    સપ્ટે સપ્ટેમ્બર ସେପ୍ଟେମ୍ବର செப் செப்டம்பர் බිනර ก.ย กันยายน სექ სექტემბერი
    """,
    """
    d'oct d'octubre dfómh eki ekim lis listopad listopada loka lokakuu lokakuuta oct october octobre octombrie
    octubre okt oktabr okthoba oktoba oktober oktobris oktoober oktubre oktyabr október októbra ott ottobre out
    outubro paź październik października spalio spalis urr urria urriaren urrren říj říjen října οκτ οκτωβρίου
    οκτώβριοσ жовт жовтень жовтня окт октобар октомври октябрь октября հոկ հոկտեմբեր հոկտեմբերի אוק אוקטובר
    أكتوبر اکتبر अक्टू अक्टूबर अक्टोबर ऑक्टो ऑक्टोबर অক্টো অক্টোবর ઑક્ટો ઑક્ટોબર ଅକ୍ଟୋବର அக் அக்டோபர் වප් ต.ค
    ตุลาคม ოქტ ოქტომბერი ọkt ọktoba ọ̀wàrà
    """,
    """
    aza azaren azaroa azaroaren bélú kas kasim lapkritis lapkričio lis listopad listopada listopadu marras
    marraskuu marraskuuta nob nobyembre noiembrie nov novemba november novembra novembre novembris novembro
    noviembre noy noyabr nuw nuwamba nóv nóvember samh samhain stu studeni studenoga νοέμβριοσ νοε νοεμβρίου
    лист листопад листопада нов новембар ное ноември нояб ноябрь ноября նոյ նոյեմբեր նոյեմբերի נוב נובמבר نوامبر
    نوفمبر नव नवंबर नोभेम्बर नोव्हें नोव्हेंबर নভে নভেম্বর નવે નવેમ્બર ନଭେମ୍ବର நவ நவம்பர் ඉල් พ.ย พฤศจิกายน ნოე
    ნოემბერი
    """,
    """
    abe abendua abenduaren aberen ara aralik dec december decembra decembrie decembris dek dekabr des desember
    desembre dets detsember dez dezember dezembro dic dicembre diciembre dis disamba disemba disember disyembre
    déc décembre gru grudnia grudzień gruodis gruodžio joulu joulukuu joulukuuta noll nollaig pro prosinac
    prosinca prosince prosinec δεκ δεκέμβριοσ δεκεμβρίου груд грудень грудня дек декабрь декабря декември дец
    децембар դեկ դեկտեմբեր դեկտեմբերի דצמ דצמבר دسامبر ديسمبر डिसें डिसेंबर डिसेम्बर दिस दिसंबर ডিসে ডিসেম্বর
    ડિસે ડિસેમ્બર ଡିସେମ୍ବର டிச டிசம்பர் උඳුවප් ธ.ค ธันวาคม დეკ დეკემბერი ọ̀pẹ̀
    """,
)

MONTHS: Final[dict[str, tuple[int, ...]]] = {}
"""Which months a name stands for, 1 to 12."""
for _month, _names in enumerate(_NAMES, start=1):
    for _name in _names.split():
        MONTHS[_name] = (*MONTHS.get(_name, ()), _month)

_BEFORE = """
    am ap de dop fh fm n'ụtụtụ pg priekšp priešpiet rn sa sf to àárọ̀ öö πμ дп претпл ص قظ पूर्वाह्न පෙව 上午 凌晨
    午前 早上 清晨 오전
    """
_AFTER = """
    ch du eh em in ip n'abalị odp pm pop popiet ptg pēcp tk ym ös μμ попл пп بظ م अपराह्न පව ọ̀sán 下午 中午 傍晚 午後
    晚上 오후
    """
BEFORE_NOON: Final = frozenset(_BEFORE.split())
"""Without full stops and spaces, as :data:`AFTER_NOON`."""
AFTER_NOON: Final = frozenset(_AFTER.split())
